import { trackers } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { customType, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../kit/db/db.ts'
import { wordsIn } from '../../../kit/db/words.ts'
import { trackerItems } from './tables.ts'

const words = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * The words of an item, its comments and its notes. They are in a table of their own with narrow rows, so that a search
 * for a frequent word need not read the texts.
 */
export const trackerWords = pgTable(
  'tracker_words',
  {
    itemId: integer()
      .primaryKey()
      .references(() => trackerItems.id),
    tracker: text('face', { enum: trackers }).notNull(),
    words: words().notNull(),
  },
  (t) =>
    trackers.map((tracker) =>
      index(`tracker_words_${tracker}`)
        .using('gin', t.words)
        .where(sql`${t.tracker} = ${sql.raw(`'${tracker}'`)}`),
    ),
)

/** Limit below the 1 MiB of distinct words that PostgreSQL can store per item. */
const MOST_BYTES = 900_000

/** Words of the chosen items `i`, as the migration, the samples and each write make them. */
const wordsOf = sql`array_to_tsvector(array(select word from (
    select word, sum(octet_length(word)) over (order by at, word) as bytes from (
      select word, min(at) as at from (
        select 0 as at, ${wordsIn(sql`i.title || ' ' || i.description`, 51_000)} as word
        union all select 0, ${wordsIn(sql`i.steps`, 50_000)}
        union all select 0, ${wordsIn(sql`i.expected`, 50_000)}
        union all select t.tracker_talk_id, ${wordsIn(sql`t.body`, 20_000)} from tracker_talk t
          where t.item_id = i.tracker_item_id and t.deleted_at is null) said
      group by word) once) counted where bytes < ${sql.raw(String(MOST_BYTES))}))`

/** Updates the words of items after a change of their texts, comments or notes. */
export async function indexWords(db: Db, ids: readonly number[]): Promise<void> {
  const isAmong = sql`tracker_item_id = any(${sql.param([...ids])}::int[])`
  // of two simultaneous comments, the second finds the words of the first
  await rows(db, sql`select from tracker_items where ${isAmong} order by tracker_item_id for update`)
  await db.execute(sql`insert into tracker_words (item_id, face, words)
    select i.tracker_item_id, i.face, ${wordsOf} from tracker_items i where i.${isAmong}
    on conflict (item_id) do update set words = excluded.words`)
}
