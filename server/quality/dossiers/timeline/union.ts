import type { TimelineEntry } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import type { TimelineKind } from '@innkeeper/contract/quality/dossiers/values'
import { type SQL, sql } from 'drizzle-orm'
import { withInstants } from '../../../kit/db/columns.ts'
import { rows } from '../../../kit/db/db.ts'
import { personOf } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { invalid } from '../../../kit/http/errors.ts'
import { none, type Part, partsOf } from './parts.ts'

/** One part, with the order and limit of the whole, so that the length of the timeline does not slow down a page. */
function written(kind: TimelineKind, part: Part, after: After | undefined, limit: number): SQL {
  const { at, id, by, title, text, visibility = none, score = sql`null::float8`, from } = part
  const { conversation: c = sql`null::int` } = part
  const beyond = after
    ? sql`and (${at} < ${after.at}::timestamptz or ${at} = ${after.at}::timestamptz and (${kind}, ${id}) > (${after.kind}, ${after.id}))`
    : sql``
  return sql`(select ${kind}::text as kind, ${id} as id, ${at} as at, ${sql.raw(by)} as by_id, ${title} as title, ${text} as text,
    ${visibility} as visibility, ${score} as score, ${c} as conversation_id
    from ${from} ${beyond} order by ${at} desc, ${id} limit ${limit})`
}

interface After {
  at: string
  kind: string
  id: number
}
interface Asked {
  kind?: readonly TimelineKind[] | undefined
  itemsPerPage: number
  after?: string | undefined
  /** True: texts at full length, for the export. */
  isWhole?: boolean
}
interface Page {
  items: TimelineEntry[]
  next?: string
  kinds: TimelineKind[]
}

/** A page of a person's timeline. The key of the last entry continues the list. */
export async function readTimeline(context: Context, userId: number, asked: Asked): Promise<Page> {
  const parts = await partsOf(context, userId)
  const kinds = [...parts.keys()]
  const limit = asked.itemsPerPage + 1
  const after = asked.after === undefined ? undefined : readKey(asked.after)
  const wanted = [...parts].filter(([kind]) => !asked.kind || asked.kind.includes(kind))
  if (!wanted.length) return { items: [], kinds }
  const union = sql.join(
    wanted.map(([kind, part]) => written(kind, part, after, limit)),
    sql` union all `,
  )
  const found = await rows<TimelineEntry & { key: string }>(
    context.db,
    sql`select x.kind, x.id, x.at, x.at::text as key, ${personOf('x.by_id')} as by, x.title, ${asked.isWhole ? sql`x.text` : sql`left(x.text, 2000)`} as text, x.visibility, x.score,
        x.conversation_id as "conversationId",
        (select c.kind from qc_conversations c where c.qc_conversation_id = x.conversation_id) as "conversationKind"
      from (select * from (${union}) u order by at desc, kind, id limit ${limit}) x order by x.at desc, x.kind, x.id`,
  )
  const shown = found.slice(0, asked.itemsPerPage)
  const last = found.length > asked.itemsPerPage ? shown.at(-1) : undefined
  return {
    items: shown.map(({ key: _, ...row }) => withInstants(row, ['at'])),
    ...(last && { next: Buffer.from(JSON.stringify([last.key, last.kind, last.id])).toString('base64url') }),
    kinds,
  }
}

function readKey(after: string): After {
  try {
    const [at, kind, id] = JSON.parse(Buffer.from(after, 'base64url').toString('utf8')) as unknown[]
    if (typeof at !== 'string' || !/^\d{4}-\d\d-\d\d [\d:.+]{8,24}$/.test(at) || Number.isNaN(Date.parse(at)))
      throw new Error('not a key')
    if (typeof kind !== 'string' || typeof id !== 'number' || !Number.isSafeInteger(id)) throw new Error('not a key')
    return { at, kind, id }
  } catch {
    throw invalid({ after: 'Not a key that a timeline returned' })
  }
}
