import { count } from '../look/format.ts'
import type { List } from './useList.ts'

type Counted = Pick<List<unknown>, 'loading' | 'error' | 'total' | 'more'>

/** Count beside the title of a list: "10,000+". Undefined while loading and after an error. */
export const listCount = ({ loading, error, total, more }: Counted): string | undefined =>
  loading || error ? undefined : `${count(total)}${more ? '+' : ''}`
