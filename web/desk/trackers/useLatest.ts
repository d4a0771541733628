import type { Change, Talk } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { apiOf } from './api.ts'

/** Comments and changes of an item, whose number has no limit. */
type Kind = 'comments' | 'notes' | 'history'
interface Page<T> {
  items: T[]
  total: number
  next?: string | undefined
}
const AT_ONCE = 50

/** Comments, notes or changes of an item: the latest first, older ones page by page. */
export function useLatest<T extends Talk | Change>(tracker: Tracker, id: number, kind: Kind) {
  // each kind answers its own rows
  const call = apiOf(tracker)[kind] as unknown as {
    key: readonly unknown[]
    (input: object, more: { signal: AbortSignal }): Promise<Page<T>>
  }
  const query = useInfiniteQuery<Page<T>, Error, InfiniteData<Page<T>>, readonly unknown[], string>({
    queryKey: [...call.key, 'latest', id],
    queryFn: ({ pageParam, signal }) =>
      call({ id, desc: true, itemsPerPage: AT_ONCE, ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  return {
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
    total: query.data?.pages[0]?.total ?? 0,
    isRead: query.data !== undefined,
    hasMore: query.hasNextPage,
    isBusy: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
  }
}
