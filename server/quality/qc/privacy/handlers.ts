import type { qcCustomers as contract } from '@innkeeper/contract/quality/qc/customers'
import { sql } from 'drizzle-orm'
import { countReceived, forgetReceived } from '../../../access/webhooks/answers.ts'
import { rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { forgetAnswers } from '../../../kit/http/idempotency.ts'
import { changed } from '../../../kit/live/live.ts'
import { messagesOfEach } from '../conversations/readMessages.ts'
import { readConversations } from '../conversations/view.ts'
import { countWords, redact } from './redact.ts'

/** Maximum number of conversations in one answer. */
const MOST = 50

export const customerHandlers: Handlers<typeof contract> = {
  async exportCustomer({ email, after = 0 }, { db, audit }) {
    const found = await rows<{ id: number }>(
      db,
      sql`select qc_conversation_id as id from qc_conversations where lower(customer_email) = lower(${email})
        and qc_conversation_id > ${after} order by 1 limit ${MOST + 1}`,
    )
    const ids = found.slice(0, MOST).map(({ id }) => id)
    const conversations = await readConversations(db, ids)
    const messages = await messagesOfEach(db, ids)
    audit.after({ conversations: ids.length }) // without the address, because the log cannot be erased later
    return {
      items: conversations.map((one) => ({ ...one, items: messages.get(one.id) ?? [] })),
      after: found.length > MOST ? (ids.at(-1) ?? null) : null,
    }
  },

  async eraseCustomer({ email, isDryRun = false }, { db, audit, app }) {
    const found = await rows<{ id: number }>(
      db,
      sql`select qc_conversation_id as id from qc_conversations where lower(customer_email) = lower(${email}) order by 1 for update`,
    )
    const ids = found.map(({ id }) => id)
    const places = isDryRun ? await countWords(db, ids, email) : await redact(db, ids, email)
    const received = await (isDryRun ? countReceived(db) : forgetReceived(db))
    places.push({ place: 'Answers of receivers of webhooks', rows: received })
    const messages = places.find(({ place }) => place === 'Messages')?.rows ?? 0
    const stays = []
    for (const { place, why, count } of app.quotes) stays.push({ place, why, rows: await count(db, email) })
    // the log row has only numbers: the address itself must be erased
    audit.after({ isDryRun, conversations: ids.length, messages, places })
    if (!isDryRun) await forgetAnswers(db)
    if (!isDryRun && ids.length) await changed(db, 'qc')
    return { isDryRun, conversations: ids.length, messages, places, stays }
  },
}
