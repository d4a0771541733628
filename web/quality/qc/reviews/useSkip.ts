import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type RefObject, useEffect, useRef } from 'react'
import { attempt } from '../../../kit/api/attempt.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { apiOf } from '../api.ts'
import { titleOf } from '../conversations/columns.tsx'

/** Goes on to the next item when somebody else has reviewed a queued one, or removed it from the queue, meanwhile. */
export function useSkip(
  kind: Kind,
  page: ConversationPage,
  isSent: RefObject<boolean>,
  onNext: (id: number | null) => Promise<void>,
): void {
  const wasQueued = useRef(false)
  const latest = useRef(onNext)
  latest.current = onNext
  const { id, status } = page
  const title = titleOf(page)
  useEffect(() => {
    if (status === 'queued') wasQueued.current = true
    if (status === 'queued' || !wasQueued.current || isSent.current) return
    wasQueued.current = false
    void attempt(async () => {
      const { nextId } = await apiOf(kind).next({ id })
      if (isSent.current) return
      toast.success(
        `${title} is ${status === 'reviewed' ? 'reviewed' : 'no longer queued'}`,
        'Somebody else was faster.',
      )
      await latest.current(nextId)
    }, [])
  }, [kind, id, status, title, isSent])
}
