import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import { customType, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../kit/db/db.ts'
import { haveWords, wordsIn } from '../../../kit/db/words.ts'
import { qcConversations } from './tables.ts'

const words = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * The words of the messages of a conversation. Conversations without messages have no row. The planner keeps no
 * statistics of `words`: collecting them reads every value, and searches do not depend on them. See decision 95.
 */
export const qcWords = pgTable(
  'qc_words',
  {
    conversationId: integer()
      .primaryKey()
      .references(() => qcConversations.id),
    kind: text({ enum: ['chat', 'ticket'] }).notNull(),
    words: words().notNull(),
  },
  (t) => [
    index('qc_words_chat').using('gin', t.words).where(sql`${t.kind} = 'chat'`),
    index('qc_words_ticket').using('gin', t.words).where(sql`${t.kind} = 'ticket'`),
  ],
)

/** Limit below the 1 MiB of distinct words that PostgreSQL can store per conversation. */
const MOST_BYTES = 900_000

/** Bytes of a conversation that are read: time is bounded even if all texts have the same words. */
const MOST_READ = 4 * MOST_BYTES

/** The messages `m` of a conversation `c`, each with its words. Message by message: a text ends an open HTML tag. */
const said = sql`(select one.qc_message_id, one.body, sum(octet_length(left(one.body, 20000))) over (order by one.qc_message_id) as read
    from qc_messages one where one.conversation_id = c.qc_conversation_id and one.removed_at is null) m,
  ${wordsIn(sql`m.body`, 20_000)} as word where m.read < ${sql.raw(String(MOST_READ))}`

/**
 * Updates the words of conversations after a change of their messages. The caller has locked the conversations. The
 * words of removed messages are left out; of a conversation with more words than PostgreSQL can store, the last are.
 * The migration that adds the table has the same statement without bounds of cost.
 */
export async function indexWords(db: Db, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  const most = sql.raw(String(MOST_BYTES))
  await db.execute(sql`insert into qc_words (conversation_id, kind, words)
    select c.qc_conversation_id, c.kind, case when t.bytes < ${most} then array_to_tsvector(array(select distinct word from ${said}))
      else array_to_tsvector(array(select word from (
        select word, sum(octet_length(word)) over (order by at, word) as bytes from (
          select word, min(m.qc_message_id) as at from ${said} group by word) once) counted where bytes < ${most})) end
      from qc_conversations c cross join lateral (select coalesce(sum(octet_length(left(m.body, 20000))), 0) as bytes
        from qc_messages m where m.conversation_id = c.qc_conversation_id) t
      where c.qc_conversation_id = any(${sql.param([...ids])}::int[])
    on conflict (conversation_id) do update set words = excluded.words where qc_words.words <> excluded.words`)
}

/**
 * Maximum number of conversations that one search considers: as matches of a word from the index, or as conversations of a filter
 * whose words are compared.
 */
export const SEARCHED = 5000

interface Found {
  /** Conversations with all the words; they may lie outside the filter if `searched` is absent. */
  ids: number[]
  /** Number of searched conversations if not all of the filter were searched: the first in the order of the list. */
  searched?: number
}

/** Texts that were common a while ago, with the time until which they are not looked up in the index again. */
const common = new WeakMap<Db, Map<string, number>>()
const COMMON_MS = 600_000

/** Conversations with all the words of a text, one more than `SEARCHED` at most; undefined if the text is known to be common. */
async function idsWith(db: Db, kind: Kind, text: string): Promise<number[] | undefined> {
  const known = common.get(db) ?? new Map<string, number>()
  const key = `${kind} ${text}`
  if ((known.get(key) ?? 0) > Date.now()) return undefined
  const found = await rows<{ id: number }>(
    db,
    // a constant kind: the partial index is chosen
    sql`select w.conversation_id as id from qc_words w where w.kind = ${sql.raw(`'${kind}'`)} and ${have(text)} limit ${SEARCHED + 1}`,
  )
  if (found.length <= SEARCHED) return found.map(({ id }) => id)
  if (known.size >= 1000) known.clear()
  common.set(db, known.set(key, Date.now() + COMMON_MS))
  return undefined
}

const have = (text: string) => haveWords(sql`w.words`, text)

/**
 * Finds the conversations of a kind that have all the words of a text in their messages. If more than `SEARCHED` have
 * them, searches the first `SEARCHED` conversations of `filtered`, a select of ids in the order of the list.
 */
export async function findWords(db: Db, kind: Kind, text: string, filtered: SQL): Promise<Found> {
  const ids = await idsWith(db, kind, text)
  if (ids) return { ids }
  const [found] = await rows<{ n: number; ids: number[] }>(
    db,
    sql`with filtered as materialized (select id, row_number() over () as nth from (${filtered} limit ${SEARCHED + 1}) as f)
      select (select count(*) from filtered)::int as n, array(select f.id from filtered f
        join qc_words w on w.conversation_id = f.id where f.nth <= ${SEARCHED} and ${have(text)}) as ids`,
  )
  const { n, ids: matching } = found! // one row of aggregates
  return { ids: matching, ...(n > SEARCHED && { searched: SEARCHED }) }
}
