import { reviewCategoriesApi } from '../api.ts'
import { WordsScreen } from './WordsScreen.tsx'

export default () => (
  <WordsScreen
    noun={['review category', 'review categories']}
    text="Review categories tie feedback to what reviews look at: Tone, Solution."
    {...reviewCategoriesApi}
  />
)
