import type { Message } from '@innkeeper/contract/quality/qc/shapes'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { statement } from '../../../kit/db/driver/prepared.ts'
import { qcMessages } from './tables.ts'

type Row = typeof qcMessages.$inferSelect

/** Maximum number of messages on a page. */
const MOST = 5000
const inOrder = [asc(qcMessages.at), asc(qcMessages.id)]

const ofOne = statement((db) =>
  db
    .select()
    .from(qcMessages)
    .where(eq(qcMessages.conversationId, sql.placeholder('id')))
    .orderBy(...inOrder)
    .limit(MOST)
    .prepare('qc_messages_of'),
)

export const messagesOf = async (db: Db, id: number): Promise<Message[]> =>
  (await ofOne(db).execute({ id })).map(shownMessage)

/** The messages with these ids, in chronological order. */
export async function readMessages(db: Db, ids: number[]): Promise<Message[]> {
  if (!ids.length) return []
  const found = await db
    .select()
    .from(qcMessages)
    .where(inArray(qcMessages.id, ids))
    .orderBy(...inOrder)
  return found.map(shownMessage)
}

/** Messages of several conversations, by conversation. */
export async function messagesOfEach(db: Db, ids: number[]): Promise<Map<number, Message[]>> {
  if (!ids.length) return new Map()
  const found = await db
    .select()
    .from(qcMessages)
    .where(inArray(qcMessages.conversationId, ids))
    .orderBy(...inOrder)
  const each = new Map<number, Message[]>()
  for (const row of found) each.set(row.conversationId, [...(each.get(row.conversationId) ?? []), shownMessage(row)])
  return each
}

/** The message in the form of the contract, without the text if the source has removed the message. */
function shownMessage({ conversationId: _, externalId: __, identityId: ___, ...message }: Row): Message {
  return { ...message, body: message.removedAt ? '' : message.body }
}
