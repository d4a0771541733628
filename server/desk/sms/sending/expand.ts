import { randomUUID } from 'node:crypto'
import type { SmsRecipient } from '@innkeeper/contract/desk/sms/calls'
import { eq, sql } from 'drizzle-orm'
import { chunks } from '../../../kit/db/chunks.ts'
import type { Db } from '../../../kit/db/db.ts'
import { costOf, type Settings } from '../settings.ts'
import { smsBatches, smsMessages } from '../tables.ts'
import { prepare, type Wanted } from './prepare.ts'

/**
 * Advisory lock: only one send at a time counts the messages of a day, so that two sends together do not exceed the
 * limit.
 */
const COUNTING = 4_400_054
const AT_ONCE = 1000

interface Batch extends Wanted {
  id: number
  createdBy: number | null
}

/** Inserts the messages of a batch. Recipients who get none have a cancelled message with the reason. */
export async function expand(db: Db, settings: Settings, batch: Batch, now: Date): Promise<SmsRecipient[]> {
  await db.execute(sql`select pg_advisory_xact_lock(${COUNTING})`)
  const recipients = await prepare(db, settings, batch, now)
  await writeMessages(db, settings, batch, recipients)
  await db.update(smsBatches).set({ expandedAt: now.toISOString() }).where(eq(smsBatches.id, batch.id))
  return recipients
}

export async function writeMessages(
  db: Db,
  settings: Settings,
  { id: batchId, kind, urgent, createdBy }: Pick<Batch, 'id' | 'kind' | 'urgent' | 'createdBy'>,
  recipients: readonly SmsRecipient[],
): Promise<void> {
  const messages = recipients.map(({ userId, to, text, encoding, segments, skipped, notBefore }) => ({
    ...{ batchId, kind, urgent, userId, createdBy, number: to, body: text, encoding, segments, key: randomUUID() },
    ...(skipped
      ? { status: 'cancelled' as const, reason: skipped, endedAt: sql`now()` }
      : { cost: costOf(settings, segments), ...(notBefore && { notBefore }) }),
  }))
  for (const some of chunks(messages, AT_ONCE)) await db.insert(smsMessages).values(some)
}
