import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'

export const BATCH = 1000
/** A long transaction may commit its row when up to this many later ids are already committed. */
export const LATE = 10_000
const SEALING = 4_400_002
const START = 'innkeeper action log'

interface LogRow {
  id: number
  text: string
}

/** Hash of a row and the previous seal: whoever changes one row has to change all later seals. */
const sealOf = (before: string, row: LogRow) => sha256(`${before}\n${row.id}\n${row.text}`)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The row as text, identical on every node and version: JSON as PostgreSQL writes jsonb. Columns of later versions are
 * appended only if they are set, so that the text of older rows stays the same, even in a backup of an older schema.
 */
const rowText = sql`(jsonb_build_array(l.action_log_id, extract(epoch from l.at)::text, l.staff_id, l.staff_name, l.service, l.action,
  l.resource, l.resource_id, l.result, l.before, l.after, l.workflow_id, l.ip, l.request_id)
  || case when to_jsonb(l)->>'subject' is null then '[]' else jsonb_build_array(to_jsonb(l)->'subject') end)::text`

/** Appends seals for rows logged since the last run. Sealing during the write would serialise all writers. */
export function sealNext(db: Db, lookBack = LATE): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${SEALING})`)
    const [last] = await rows<{ position: number; hash: string }>(
      tx,
      sql`select position::int, hash from action_log_seals order by position desc limit 1`,
    )
    // the chain follows the order of sealing, not of ids, because an open transaction may have a lower id than
    // committed ones
    const open = await rows<LogRow>(
      tx,
      sql`select l.action_log_id::int as id, ${rowText} as text from action_logs l
        left join action_log_seals s on s.action_log_id = l.action_log_id
        where s.action_log_id is null
          and l.action_log_id > coalesce((select max(action_log_id) from action_log_seals), 0) - ${lookBack}::bigint
        order by l.action_log_id limit ${BATCH}`,
    )
    let { position, hash } = last ?? { position: 0, hash: START }
    const seals = open.map((row) => {
      hash = sealOf(hash, row)
      position += 1
      return sql`(${position}, ${row.id}, ${hash})`
    })
    if (seals.length)
      await tx.execute(
        sql`insert into action_log_seals (position, action_log_id, hash) values ${sql.join(seals, sql`, `)}`,
      )
    return seals.length
  })
}

/** A position in the chain: the last verified seal and its hash. */
export interface Place {
  position: number
  hash: string
}
export const beginning: Place = { position: 0, hash: START }

export async function endOfChain(db: Db): Promise<Place> {
  const [last] = await rows<Place>(
    db,
    sql`select position::int, hash from action_log_seals order by position desc limit 1`,
  )
  return last ?? beginning
}

export interface Broken {
  position: number
  /** Id of the sealed row; null if the seal itself is missing. */
  rowId: number | null
  reason: 'altered' | 'missing'
}

/** A row whose words were removed after it had been sealed: `rest` is the hash of what is left. */
interface Cut {
  rest: string | null
  recordId: number | null
}

/** The table of cuts; without rows in a backup of a schema that lacks the table. */
async function cutsOf(db: Db) {
  const [found] = await rows<{ has: boolean }>(db, sql`select to_regclass('public.action_log_cuts') is not null as has`)
  return found?.has
    ? sql`action_log_cuts`
    : sql`(select null::bigint as action_log_id, null::bigint as record_id, null::text as rest limit 0)`
}

/** The records of these cuts that have the hash of all their cuts, as when the words were removed. */
async function provenRecords(db: Db, cuts: readonly Cut[]): Promise<Set<number>> {
  const ids = [...new Set(cuts.flatMap(({ recordId }) => (recordId === null ? [] : [recordId])))]
  if (!ids.length) return new Set()
  const found = await rows<{ id: number; digest: string | null; rests: string }>(
    db,
    sql`select l.action_log_id::int as id, l.after->>'digest' as digest,
        (select string_agg(c.action_log_id || ' ' || c.rest, chr(10) order by c.action_log_id) from action_log_cuts c
          where c.record_id = l.action_log_id) as rests
      from action_logs l where l.action_log_id = any(${sql.param(ids)}::bigint[]) and l.service = 'logs' and l.action = 'remove-words'`,
  )
  return new Set(found.filter(({ digest, rests }) => digest === sha256(rests)).map(({ id }) => id))
}

/** Verifies one batch after a position. `broken`: the first invalid seal; `ended`: there is no later seal. */
export async function walk(
  db: Db,
  from: Place,
  most = BATCH,
): Promise<{ place: Place; broken?: Broken; ended: boolean }> {
  let { position, hash } = from
  const batch = await rows<LogRow & Cut & { position: number; hash: string; present: boolean }>(
    db,
    sql`select s.position::int, s.hash, s.action_log_id::int as id, l.action_log_id is not null as present, ${rowText} as text,
        c.rest, c.record_id::int as "recordId"
      from action_log_seals s left join action_logs l on l.action_log_id = s.action_log_id
        left join ${await cutsOf(db)} c on c.action_log_id = s.action_log_id
      where s.position > ${position} order by s.position limit ${most}`,
  )
  const proven = await provenRecords(db, batch)
  for (const row of batch) {
    const place = { position, hash }
    const { id: rowId } = row
    if (row.position !== position + 1)
      return { place, broken: { position: position + 1, rowId: null, reason: 'missing' }, ended: true }
    if (!row.present) return { place, broken: { position: row.position, rowId, reason: 'missing' }, ended: true }
    // the seal of a row without its words is of its former text: its record, sealed later, proves what is left
    const isCut = row.recordId !== null && proven.has(row.recordId) && row.rest === sha256(row.text)
    hash = isCut ? row.hash : sealOf(hash, row)
    if (hash !== row.hash) return { place, broken: { position: row.position, rowId, reason: 'altered' }, ended: true }
    position = row.position
  }
  return { place: { position, hash }, ended: batch.length < most }
}

/** Verifies the whole chain. Returns the first invalid seal, or undefined. */
export async function brokenSeal(db: Db): Promise<Broken | undefined> {
  let place = beginning
  for (;;) {
    const reached = await walk(db, place)
    if (reached.broken || reached.ended) return reached.broken
    place = reached.place
  }
}
