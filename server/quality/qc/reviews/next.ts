import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { all } from '../../../kit/db/page.ts'
import { takeLease } from '../conversations/queue.ts'
import { withinReach } from '../reach.ts'
import type { Reading } from '../rights.ts'

/** The next free item: first items that are assigned to the person, then the oldest of the queue. */
export const nextFor = (reading: Reading, kind: Kind, except: number): Promise<number | null> =>
  firstFree(reading, kind, except, sql``)

/** Takes the lease of the next free item. Passes over items that another submission takes at the same moment. */
export async function takeNext(reading: Reading, kind: Kind, except: number): Promise<number | null> {
  const id = await firstFree(reading, kind, except, sql`for update skip locked`)
  if (id !== null) await takeLease(reading.db, kind, id, reading.staff.id)
  return id
}

async function firstFree(reading: Reading, kind: Kind, except: number, lock: SQL): Promise<number | null> {
  const { db } = reading
  const staffId = reading.staff.id
  const reach = await withinReach(reading)
  const free = sql`${all([sql`true`, ...reach])} and kind = ${kind} and status = 'queued' and qc_conversation_id <> ${except}
    and (holder_id is null or holds_until <= now() or holder_id = ${staffId})
    and (postponed_until is null or postponed_until <= now()) and agent_id is distinct from ${staffId}`
  const [own] = await rows<{ id: number }>(
    db,
    sql`select qc_conversation_id as id from qc_conversations where assignee_id = ${staffId} and ${free} order by queued_at limit 1 ${lock}`,
  )
  if (own) return own.id
  const [next] = await rows<{ id: number }>(
    db,
    sql`select qc_conversation_id as id from qc_conversations where assignee_id is null and ${free}
      order by queued_at, qc_conversation_id limit 1 ${lock}`,
  )
  return next?.id ?? null
}
