import { sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Heard, Said } from './speech.ts'
import { around, staffedTimes } from './staffed.ts'

/** Messages and characters of a conversation that are read. */
const MOST_MESSAGES = 5000
const MOST_CHARS = 20_000

interface Row {
  id: number
  kind: Heard['kind']
  sourceId: number
  departmentId: number | null
  said: [number, string, Said['kind'], Said['role'], string][]
}

/** Reads conversations for checks, without those whose words were erased. `withRoster`: a rule counts hours of the roster. */
export async function hear(
  db: Db,
  ids: readonly number[],
  now: number,
  withRoster: boolean,
): Promise<Map<number, Heard>> {
  const found = await rows<Row>(
    db,
    sql`select c.qc_conversation_id as id, c.kind, c.source_id as "sourceId", c.department_id as "departmentId",
        (select coalesce(json_agg(json_build_array(m.qc_message_id, m.at, m.kind, m.role, left(m.body, ${MOST_CHARS})) order by m.at, m.qc_message_id), '[]')
          from (select * from qc_messages where conversation_id = c.qc_conversation_id and removed_at is null
            order by at, qc_message_id limit ${MOST_MESSAGES}) as m) as said
      from qc_conversations c where c.qc_conversation_id = any(${sql.param([...ids])}::int[]) and c.redacted_at is null`,
  )
  const heard = found.map(({ id, said, ...of }) => ({
    ...{ id, ...of, staffed: null, now },
    said: said.map(([messageId, at, kind, role, body]) => ({
      id: messageId,
      at: Date.parse(isoOf(at)),
      kind,
      role,
      body,
    })),
  }))
  if (!withRoster) return new Map(heard.map(({ id, ...one }) => [id, one]))
  const [from, to] = [Math.min(now, ...heard.map(beginOf)), now]
  const departments = [...new Set(heard.flatMap(({ departmentId }) => departmentId ?? []))]
  const times = await staffedTimes(db, departments, from, to)
  return new Map(
    heard.map(({ id, ...one }) => [
      id,
      {
        ...one,
        staffed: one.departmentId === null ? null : around(times.get(one.departmentId), beginOf(one), endOf(one)),
      },
    ]),
  )
}

const beginOf = ({ said, now }: Heard) => said[0]?.at ?? now
/** An open wait lasts until now. */
const endOf = ({ now }: Heard) => now
