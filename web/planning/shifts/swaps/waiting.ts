import { wait } from '../../../kit/home/wait.ts'
import { shiftsApi } from '../api.ts'
import { waitsFor } from './words.ts'

export default wait(shiftsApi.swaps.query(), ({ items }) => ({
  count: items.filter(waitsFor).length,
}))
