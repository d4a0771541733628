import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorState } from './emptyStates.tsx'
import { frameTexts } from './texts.ts'

/** Full-page error: the server did not answer the session check. */
export const PageError = (props: ErrorComponentProps) => (
  <main style={{ display: 'grid', minHeight: '100dvh', background: 'var(--ink-sheet)' }}>
    <StartError {...props} />
  </main>
)

/** Error of a screen that threw while rendering. */
export function StartError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const again = () => {
    reset()
    void router.invalidate()
  }
  const cause = error instanceof Error ? error : new Error(String(error))
  return <ErrorState title={frameTexts().unopened} error={cause} order={1} onRetry={again} />
}
