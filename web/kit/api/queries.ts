import { QueryClient } from '@tanstack/react-query'
import { session } from '../access/session.ts'
import { ApiError } from './client.ts'

/** Retries only after a lost connection or while the server starts: a refusal would repeat. */
const worthAnother = (count: number, error: Error) =>
  count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503)

/** Always, because a browser in a network without internet calls itself offline, and Innkeeper answers there. */
const networkMode = 'always'

/** Cache of server answers. Pushed hints invalidate its queries; the end of the session clears it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    mutations: { networkMode },
    queries: {
      networkMode,
      retry: worthAnother,
      retryDelay: (n) => 400 * 2 ** n,
      staleTime: 15_000,
      refetchOnWindowFocus: true,
    },
  },
})

// updateCredentials signs out and in at once: the screen keeps its data and refetches
session.subscribe(() =>
  queueMicrotask(() => {
    if (!session.user.jwt) queryClient.clear()
  }),
)
