import type { Endpoint } from '@innkeeper/contract/kit'
import { type List, useList } from '../kit/useList.ts'

/** A list as ListTable takes it; `R` is the row. */
export function useRows<E extends Endpoint, R>(...args: Parameters<typeof useList<E, R>>): List<R> {
  // the same object: the kit's List says that a refetch answers void, and no real call's does
  return useList<E, R>(...args) as unknown as List<R>
}
