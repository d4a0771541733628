import type { ConversationPage } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { useEffect } from 'react'
import { attempt } from '../../kit/api/attempt.ts'
import { apiOf } from '../api.ts'

/** Renews the lease while the review is shown. If somebody else has the lease, the server's refusal is shown. */
export function Lease({ kind, page: { id, status } }: { kind: Kind; page: ConversationPage }) {
  useEffect(() => {
    if (status !== 'queued') return
    const api = apiOf(kind)
    const take = () => void attempt(() => api.lease({ id }), [])
    take()
    const timer = setInterval(take, 300_000)
    return () => clearInterval(timer)
  }, [kind, id, status])
  return null
}
