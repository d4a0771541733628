import type { Answer } from '@innkeeper/contract/agent/door'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { isTracing, newSpanId, type Place, placeNow, placeOfAttempt, readParent, record, writeParent } from './trace.ts'

/** Stored with a workflow: the span that starts it. */
export const parentNow = (): string | null => {
  const place = placeNow()
  if (place?.round) place.round.isWanted = true
  return place ? writeParent(place) : null
}

/** What an attempt is told of its trace. */
export function parentOfAttempt(stored: string | null | undefined, id: number, attempt: number): { trace?: string } {
  const parent = readParent(stored)
  return parent ? { trace: writeParent(placeOfAttempt(parent, id, attempt)) } : {}
}

interface Ended {
  id: number
  attempt: number
  name: string
  task: string
  status: string
  workflowId: number
  serverId: number | null
  trace: string
  from: number | null
  to: number | null
}

/** Records the spans of attempts that have ended, with those that their agent measured. */
export async function traceEnded(db: Db, ids: readonly number[], answers: readonly Answer[]): Promise<void> {
  if (!ids.length || !isTracing()) return
  const reading = rows<Ended>(
    db,
    sql`select a.action_id::float8 as id, a.attempt, a.name, a.task, a.status, a.workflow_id as "workflowId",
        a.server_id as "serverId", w.trace, (extract(epoch from a.started_at) * 1000)::float8 as "from",
        (extract(epoch from a.ended_at) * 1000)::float8 as "to"
      from actions a join workflows w on w.workflow_id = a.workflow_id
      where a.action_id = any(${sql.param([...ids])}::bigint[]) and w.trace is not null`,
  )
  const ended = await reading.catch(() => []) // the actions have ended: only their spans are lost
  for (const one of ended) {
    const parent = readParent(one.trace)
    if (!parent || one.from === null || one.to === null) continue
    const place = placeOfAttempt(parent, one.id, one.attempt)
    record({
      ...place,
      ...{ parentId: parent.spanId, name: `action ${one.name}`, kind: 'consumer', from: one.from, to: one.to },
      failed: !['done', 'undone'].includes(one.status),
      attributes: {
        ...{ 'innkeeper.workflow': one.workflowId, 'innkeeper.action': one.id, 'innkeeper.attempt': one.attempt },
        ...{ 'innkeeper.task': one.task, 'innkeeper.status': one.status },
        ...(one.serverId !== null && { 'innkeeper.server': one.serverId }),
      },
    })
    traceAgent(place, answers.find(({ id, attempt }) => id === one.id && attempt === one.attempt)?.spans)
  }
}

/** The agent measures by its own clock; each of its spans is inside the one before. */
function traceAgent({ traceId, spanId }: Place, spans: Answer['spans'] = []): void {
  let parentId = spanId
  for (const { name, from, to } of spans) {
    const place = { traceId, spanId: newSpanId() }
    record({ ...place, parentId, name, kind: 'internal', from, to, attributes: {} })
    parentId = place.spanId
  }
}
