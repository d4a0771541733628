import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type RefObject, useEffect, useRef } from 'react'
import { attempt } from '../../../kit/api/attempt.ts'
import { apiOf } from '../api.ts'

interface Props {
  kind: Kind
  page: ConversationPage
  /** True once the review is submitted or postponed, which ends the lease. */
  isSent: RefObject<boolean>
}

/**
 * Takes the lease and renews it while the review is shown, and releases it when the person goes elsewhere or closes the
 * page. Takes the lease again when it was released elsewhere. If somebody else has the lease, the server's refusal is shown.
 */
export function Lease({ kind, page: { id, status, holder }, isSent }: Props) {
  const takeAgain = useRef<() => void>(undefined)
  const wasHeld = useRef(false)
  useEffect(() => {
    if (status !== 'queued') return
    const api = apiOf(kind)
    let taken = Promise.resolve<unknown>(undefined)
    const take = () => {
      taken = attempt(() => api.lease({ id }), [])
    }
    takeAgain.current = take
    // not shown if it fails: the lease then ends by itself
    const release = () => void api.release({ id }, { keepalive: true }).catch(() => undefined)
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && take()
    take()
    const timer = setInterval(take, 300_000)
    window.addEventListener('pagehide', release)
    window.addEventListener('pageshow', onShow)
    return () => {
      takeAgain.current = undefined
      wasHeld.current = false
      clearInterval(timer)
      window.removeEventListener('pagehide', release)
      window.removeEventListener('pageshow', onShow)
      if (!isSent.current) void taken.then(release) // in this order, also when somebody leaves at once
    }
  }, [kind, id, status, isSent])
  // a lease belongs to a person: another tab of theirs that closes releases it for this one too
  useEffect(() => {
    if (wasHeld.current && !holder && !isSent.current) takeAgain.current?.()
    wasHeld.current = holder !== null
  }, [holder, isSent])
  return null
}
