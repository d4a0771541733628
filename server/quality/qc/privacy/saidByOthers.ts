import { type SQL, sql } from 'drizzle-orm'
import { haveWords } from '../../../kit/db/words.ts'

/** Conversations of other customers whose messages have this address. Each kind has an index of its own. */
export const saidByOthers = (address: string): SQL =>
  sql.join(
    ['chat', 'ticket'].map(
      (kind) => sql`select from qc_words w join qc_conversations c on c.qc_conversation_id = w.conversation_id
        where w.kind = ${sql.raw(`'${kind}'`)} and ${haveWords(sql`w.words`, address)} and lower(c.customer_email) <> lower(${address})`,
    ),
    sql` union all `,
  )
