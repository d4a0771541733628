import type { qcChecks as contract } from '@innkeeper/contract/quality/qc/checks'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { readConversation } from '../conversations/view.ts'
import { noteLook } from '../privacy/looks.ts'
import { checkReach } from '../reach.ts'
import { checkMayRead } from '../rights.ts'
import { hear } from './hear.ts'
import { judge } from './judge.ts'
import { checkSettings, settingsOf } from './settings.ts'

/** Characters of an excerpt. */
const SHOWN = 300

/** Judges one conversation, which the caller may read, by a rule that is not stored. */
export const tryCheck: Handlers<typeof contract>['tryCheck'] = async ({ kind, externalId, ...fields }, context) => {
  const { db, staff, now } = context
  checkMayRead(staff, kind)
  const settings = settingsOf(fields)
  checkSettings(fields.check, settings)
  const [found] = await rows<{ id: number }>(
    db,
    sql`select qc_conversation_id as id from qc_conversations where kind = ${kind} and external_id = ${externalId} order by 1 desc limit 1`,
  )
  if (found) await checkReach(context, found.id)
  else throw refused(`No ${kind} has the id ${externalId}`, { externalId: `No ${kind} has this id` })
  const heard = (await hear(db, [found.id], now.getTime(), settings.hours === 'roster')).get(found.id)
  if (!heard)
    throw refused(`The words of ${externalId} were erased`, {
      externalId: 'The words of this conversation were erased',
    })
  await noteLook(context, await readConversation(db, found.id))
  const { again: _, ...judgement } = judge(settings, heard)
  const bodies = new Map(heard.said.map(({ id, body }) => [id, body]))
  const excerpts = judgement.places.map(({ messageId, from, to }) =>
    (bodies.get(messageId) ?? '').slice(from, Math.min(to, from + SHOWN)),
  )
  return { ...judgement, conversationId: found.id, excerpts }
}
