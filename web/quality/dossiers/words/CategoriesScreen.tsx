import { categoriesApi } from '../api.ts'
import { WordsScreen } from './WordsScreen.tsx'

export default () => (
  <WordsScreen
    noun={['category', 'categories']}
    text="Categories say what feedback is about: Teamwork, Knowledge, Punctuality."
    {...categoriesApi}
  />
)
