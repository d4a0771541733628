import { count } from '../look/format.ts'
import type { List } from './useList.ts'

type Counted = Pick<List<unknown>, 'loading' | 'error' | 'total' | 'more'>

/** The count beside the title of a list: "10,000+". Nothing while the list loads, and after an error. */
export const listCount = ({ loading, error, total, more }: Counted): string | undefined =>
  loading || error ? undefined : `${count(total)}${more ? '+' : ''}`
