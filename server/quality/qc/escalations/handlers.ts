import type { qcChats as contract } from '@innkeeper/contract/quality/qc/conversations'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import type { Handlers } from '../../../kit/http/api.ts'
import { idsOf } from '../ids.ts'
import { targetOf } from '../reviews/handlers.ts'
import { readReviews } from '../reviews/view.ts'
import { checkMayRead } from '../rights.ts'
import { listEscalations, readEscalation } from './list.ts'
import { escalate, setStatus } from './write.ts'

type Calls = 'escalate' | 'escalations' | 'escalation' | 'escalationStatus' | 'escalationReviews'

export const escalationHandlers = (kind: Kind): Pick<Handlers<typeof contract>, Calls> => ({
  escalate: (input, context) => escalate(context, kind, targetOf(kind, input), input),
  escalations: (input, context) => listEscalations(context, input, kind),
  escalation: ({ id }, context) => readEscalation(context, id, kind),
  escalationStatus: ({ id, status, version }, context) => setStatus(context, id, status, { kind, version }),

  async escalationReviews({ id }, { db, staff }) {
    const { conversationId } = await readEscalation({ db, staff }, id, kind)
    checkMayRead(staff, kind)
    const where = sql`conversation_id = ${conversationId} and deleted_at is null`
    const items = await readReviews(db, await idsOf(db, 'qc_reviews', 'qc_review_id', where))
    return { items, total: items.length }
  },
})
