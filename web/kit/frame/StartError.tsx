import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorState } from './emptyStates.tsx'

/** The whole page: the server was not there when the session was to be checked. */
export const PageError = (props: ErrorComponentProps) => (
  <main style={{ display: 'grid', minHeight: '100dvh', background: 'var(--ink-sheet)' }}>
    <StartError {...props} />
  </main>
)

/** A screen that threw. */
export function StartError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const again = () => {
    reset()
    router.invalidate()
  }
  const cause = error instanceof Error ? error : new Error(String(error))
  return <ErrorState title="This page could not be opened" error={cause} order={1} onRetry={again} />
}
