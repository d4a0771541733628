import type { TimelineKind } from '@innkeeper/contract/quality/dossiers/values'
import { useInfiniteQuery } from '@tanstack/react-query'
import { timelineApi } from '../api.ts'

/** The timeline of a person, page by page. */
export const useTimeline = (id: number, kind: readonly TimelineKind[]) =>
  useInfiniteQuery({
    queryKey: [...timelineApi.timeline.key, 'all', id, kind],
    queryFn: ({ pageParam, signal }) =>
      timelineApi.timeline(
        { id, ...(kind.length && { kind: [...kind] }), ...(pageParam && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
