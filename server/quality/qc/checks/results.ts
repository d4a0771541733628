import type { CheckSettings } from '@innkeeper/contract/quality/qc/checks'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { hear } from './hear.ts'
import { judge } from './judge.ts'
import type { Heard, Judgement } from './speech.ts'
import type { Finding, qcCheckResults } from './tables.ts'

/** A rule as a batch reads it. Rules that are off or deleted judge nothing: their results go. */
export interface Rule extends CheckSettings {
  id: number
  revision: number
  isOn: boolean
}

type Stored = Pick<typeof qcCheckResults.$inferSelect, 'conversationId' | 'passed' | 'failed' | 'findings'>
interface Fresh extends Stored {
  againAt: number | null
}

/** How long a batch may judge before others get their turn. */
const SLICE_MS = 15

/** What a batch judges: conversations by all rules, with the due time that was read, or by the rules of the sweep. */
export interface Batch {
  ids: readonly number[]
  rules: readonly Rule[]
  now: number
  /** Due times by conversation; absent in the sweep, which leaves them. */
  due?: ReadonlyMap<number, string>
}

/**
 * Judges conversations and stores the results; results of other rules stay. Results of a conversation whose words were
 * erased stay until their rule changes, which can no longer be judged then.
 */
export async function check(db: Db, { ids, rules, now, due }: Batch): Promise<void> {
  const on = rules.filter(({ isOn }) => isOn)
  const heard = await hear(
    db,
    ids,
    now,
    on.some(({ hours }) => hours === 'roster'),
  )
  const before = new Map((await readStored(db, ids)).map((one) => [one.conversationId, one]))
  const own = new Set(rules.map(({ id }) => id))
  const fresh: Fresh[] = []
  let until = performance.now() + SLICE_MS
  for (const conversationId of ids) {
    const old = before.get(conversationId) ?? { conversationId, passed: [], failed: [], findings: [] }
    const of = heard.get(conversationId)
    fresh.push(of || !due ? merge(old, own, judgeAll(on, of)) : { ...old, againAt: null })
    if (performance.now() < until) continue
    await new Promise(setImmediate)
    until = performance.now() + SLICE_MS
  }
  await store(db, fresh, now, due)
  await count(db, fresh, before, own)
}

const readStored = (db: Db, ids: readonly number[]) =>
  rows<Stored>(
    db,
    sql`select conversation_id as "conversationId", passed, failed, findings from qc_check_results
      where conversation_id = any(${sql.param([...ids])}::int[])`,
  )

const judgeAll = (rules: readonly Rule[], heard: Heard | undefined): [number, Judgement][] =>
  heard ? rules.map((rule) => [rule.id, judge(rule, heard)]) : []

function merge(old: Stored, own: ReadonlySet<number>, judgements: readonly [number, Judgement][]): Fresh {
  const stays = (id: number) => !own.has(id)
  const of = (wanted: Judgement['result']) => judgements.flatMap(([id, { result }]) => (result === wanted ? [id] : []))
  const found = judgements.flatMap(([rule, { result, value, note, places }]): Finding[] =>
    result === 'failed' || (result === 'passed' && (value !== null || note !== null))
      ? [{ rule, value, note, places: places.map(({ messageId, from, to }) => [messageId, from, to]) }]
      : [],
  )
  const again = judgements.flatMap(([, judgement]) => judgement.again ?? [])
  const sorted = (ids: number[]) => ids.sort((a, b) => a - b)
  return {
    conversationId: old.conversationId,
    passed: sorted([...old.passed.filter(stays), ...of('passed')]),
    failed: sorted([...old.failed.filter(stays), ...of('failed')]),
    findings: [...old.findings.filter(({ rule }) => stays(rule)), ...found],
    againAt: again.length ? Math.min(...again) : null,
  }
}

/** Writes the results. A due time that an import has set since it was read stays: the next batch judges the new words. */
async function store(db: Db, fresh: readonly Fresh[], now: number, due: Batch['due']): Promise<void> {
  const isoOfTime = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  const json = JSON.stringify(
    fresh.map(({ againAt, ...one }) => ({
      ...one,
      again: isoOfTime(againAt),
      due: due?.get(one.conversationId) ?? null,
    })),
  )
  const dueAt = due
    ? sql`case when old.due_at is not distinct from f.due then f.again else old.due_at end`
    : sql`least(old.due_at, f.again)`
  await db.execute(sql`insert into qc_check_results (conversation_id, kind)
    select qc_conversation_id, kind from qc_conversations
    where qc_conversation_id = any(${sql.param(fresh.map(({ conversationId }) => conversationId))}::int[]) order by 1 on conflict do nothing`)
  await db.execute(sql`update qc_check_results old set passed = f.passed, failed = f.failed, failed_count = cardinality(f.failed),
      findings = f.findings, checked_at = ${isoOfTime(now)}::timestamptz, due_at = ${dueAt}
    from jsonb_to_recordset(${json}::jsonb)
      as f("conversationId" int, passed int[], failed int[], findings jsonb, again timestamptz(3), due timestamptz(3))
    where old.conversation_id = f."conversationId" and (old.checked_at is null or ${due ? sql`true` : sql`old.due_at is distinct from ${dueAt}`}
      or (old.passed, old.failed, old.findings) is distinct from (f.passed, f.failed, f.findings))`)
}

/** Moves the numbers of the rules by what changed. */
async function count(db: Db, fresh: readonly Fresh[], before: ReadonlyMap<number, Stored>, own: ReadonlySet<number>) {
  const moved = new Map<number, { id: number; passed: number; failed: number }>()
  const add = (ids: readonly number[] | undefined, key: 'passed' | 'failed', by: 1 | -1) => {
    for (const id of ids ?? []) {
      if (!own.has(id)) continue
      const one = moved.get(id) ?? { id, passed: 0, failed: 0 }
      one[key] += by
      moved.set(id, one)
    }
  }
  for (const one of fresh)
    for (const key of ['passed', 'failed'] as const) {
      add(before.get(one.conversationId)?.[key], key, -1)
      add(one[key], key, 1)
    }
  const changes = [...moved.values()].filter(({ passed, failed }) => passed || failed).sort((a, b) => a.id - b.id)
  if (!changes.length) return
  await db.execute(sql`update qc_check_rules r set passed = r.passed + m.passed, failed = r.failed + m.failed
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as m(id int, passed int, failed int) where r.qc_check_rule_id = m.id`)
}
