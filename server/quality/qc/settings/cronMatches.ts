import { readFilter } from '@innkeeper/contract/quality/qc/filterText'
import type { qcSettings as contract } from '@innkeeper/contract/quality/qc/settings'
import { sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { all } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { qcConversations } from '../conversations/tables.ts'
import { conditionOf, fresh, unknownName } from '../conversations/terms.ts'
import { withinReach } from '../reach.ts'
import { mayRead } from '../rights.ts'

/** Counting stops at this number of matches. */
const BOUND = 10_000

/** The condition of a filter text; undefined if the text is no longer valid. */
export function conditionsOf(value: string) {
  const read = readFilter(value)
  return 'problem' in read ? undefined : all([fresh, ...read.terms.map(conditionOf)])
}

/** For each filter text the number of tickets that it would queue now, in one query. */
export async function countMatches(db: Db, values: readonly string[]): Promise<number[]> {
  if (!values.length) return []
  const counts = values.map((value) => {
    const where = conditionsOf(value)
    return where
      ? sql`(select count(*)::int from (select from ${qcConversations} where ${where} limit ${BOUND}) as bounded)`
      : sql`0`
  })
  const [found] = await rows<{ counts: number[] }>(db, sql`select array[${sql.join(counts, sql`, `)}] as counts`)
  return found?.counts ?? []
}

export const previewHandlers: Pick<Handlers<typeof contract>, 'previewCron'> = {
  async previewCron({ value }, { db, staff }) {
    const read = readFilter(value)
    const where = conditionsOf(value)
    const problem = 'problem' in read ? read.problem : await unknownName(db, read.terms)
    if (problem || !where) return { problem, total: 0, more: false, first: [] }
    const [total = 0] = await countMatches(db, [value])
    const first = await rows<{ id: number; externalId: string; subject: string; lastAt: string | Date }>(
      db,
      sql`select qc_conversation_id as id, external_id as "externalId", subject, last_at as "lastAt"
        from ${qcConversations} where ${all([where, ...(await withinReach({ db, staff }))])} order by last_at desc, qc_conversation_id desc limit 5`,
    )
    return {
      problem: null,
      total,
      more: total >= BOUND,
      first: first.map((one) => ({
        ...one,
        subject: mayRead(staff, 'ticket') ? one.subject : '',
        lastAt: isoOf(one.lastAt),
      })),
    }
  },
}
