import { QueryClient } from '@tanstack/react-query'
import { session } from '../access/session.ts'
import { ApiError } from './client.ts'

/** What the server refused it refuses again; only a lost connection or a starting server is worth another try. */
const worthAnother = (count: number, error: Error) =>
  count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503)

/** Everything read from the server. Pushed hints keep it fresh; it is forgotten with the session. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: worthAnother, retryDelay: (n) => 400 * 2 ** n, staleTime: 15_000, refetchOnWindowFocus: true },
  },
})

// a log-out and log-in in one go (updateCredentials) keeps what is on the screen and reads it again
session.subscribe(() =>
  queueMicrotask(() => {
    if (!session.user.jwt) queryClient.clear()
  }),
)
