import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { check, type Rule } from './results.ts'

/** Number of conversations in one transaction. */
const MOST = 250
/** A round ends after this time. The next one continues where it stopped. */
const ROUND_MS = 20_000

type Ruled = Rule & { cursor: number | null }

/** The worker's round: conversations that changed first, then those that changed rules have still to judge. */
export async function runChecks(app: App): Promise<void> {
  const until = Date.now() + ROUND_MS
  let wasSeen = false
  do {
    const done = await app.db.transaction(checkSome)
    if (!done) break
    wasSeen = true
  } while (Date.now() < until)
  if (wasSeen) await changed(app.db, 'qc')
}

/** Judges one batch. Returns false if there is nothing to do, or another worker does it. */
export async function checkSome(db: Db): Promise<boolean> {
  const [lock] = await rows<{ free: boolean; now: string }>(
    db,
    sql`select pg_try_advisory_xact_lock(hashtext('qc.checks')) as free, clock_timestamp()::timestamptz(3) as now`,
  )
  if (!lock?.free) return false
  const now = Date.parse(isoOf(lock.now))
  const rules = await readRules(db)
  return (await checkDue(db, rules, now)) || sweep(db, rules, now)
}

const readRules = (db: Db): Promise<Ruled[]> =>
  rows<Ruled>(
    db,
    sql`select qc_check_rule_id as id, "check", who, words, patterns, minutes, hours, hosts, languages, closers, below,
        used_for as "usedFor", source_ids as "sourceIds", department_ids as "departmentIds", revision, cursor,
        is_active and deleted_at is null as "isOn"
      from qc_check_rules where deleted_at is null or cursor is not null order by 1`,
  )

/** Judges conversations that changed, by all rules. */
async function checkDue(db: Db, rules: readonly Rule[], now: number): Promise<boolean> {
  const found = await rows<{ id: number; due: string }>(
    db,
    sql`select conversation_id as id, due_at as due from qc_check_results where due_at <= ${new Date(now).toISOString()}::timestamptz
      order by due_at limit ${MOST}`,
  )
  if (!found.length) return false
  const due = new Map(found.map((one) => [one.id, isoOf(one.due)]))
  await check(db, { ids: [...due.keys()].sort((a, b) => a - b), rules, now, due })
  return true
}

/**
 * Goes on with the rules that have to judge all conversations, from the latest to the first. Rules on the same stretch
 * are judged together. A rule that changed meanwhile has another revision and begins at the top.
 */
async function sweep(db: Db, rules: readonly Ruled[], now: number): Promise<boolean> {
  const top = Math.max(...rules.map(({ cursor }) => cursor ?? 0))
  if (!(top > 0)) return false
  const found = await rows<{ id: number }>(
    db,
    sql`select qc_conversation_id as id from qc_conversations where qc_conversation_id < ${top}
      order by qc_conversation_id desc limit ${MOST}`,
  )
  const ids = found.map(({ id }) => id).sort((a, b) => a - b)
  const next = ids.length < MOST ? null : ids[0]!
  const here = rules.filter(({ cursor }) => cursor !== null && cursor > (next ?? 0))
  if (ids.length) await check(db, { ids, rules: here, now })
  const moved = JSON.stringify(here.map(({ id, revision }) => ({ id, revision })))
  await db.execute(sql`update qc_check_rules r set cursor = ${next} from jsonb_to_recordset(${moved}::jsonb) as m(id int, revision int)
    where r.qc_check_rule_id = m.id and r.revision = m.revision`)
  return true
}

/** Marks conversations for a check, in the transaction that changes their messages. The caller has locked them. */
export async function markDue(db: Db, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  await db.execute(sql`insert into qc_check_results (conversation_id, kind, due_at)
    select qc_conversation_id, kind, clock_timestamp() from qc_conversations where qc_conversation_id = any(${sql.param([...ids])}::int[])
    order by 1 on conflict (conversation_id) do update set due_at = excluded.due_at`)
}
