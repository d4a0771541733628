import { typesApi } from '../api.ts'
import { WordsScreen } from './WordsScreen.tsx'

export default () => (
  <WordsScreen noun={['type', 'types']} text="Types say what feedback is: Praise, Concern, Goal." {...typesApi} />
)
