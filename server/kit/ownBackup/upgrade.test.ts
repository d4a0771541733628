import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { isProvenOnPostgres, isWhole, sliced, sliceName } from '../../../bin/slice.ts'
import { dice } from '../../seed/dice.ts'
import { emptyDatabase } from '../../test/emptyDatabase.ts'
import { fillTables, most } from '../../test/rows.ts'
import { type Database, type Db, rows } from '../db/db.ts'
import { journal, statementsAfter } from '../db/migrations.ts'
import { openDatabase } from '../db/open.ts'
import { tablesOf } from './backup.ts'

/** By migration: columns that the migration rewrites on purpose, derived tables, and tables that it moves. */
const rewrites: Record<string, readonly string[]> = {
  '0004_profiles_notifications': ['users.dark_theme'],
  '0019_website_group_before': ['websites.group_before'],
  '0037_latest_of_websites': ['latest_actions'],
  '0056_desk_speed': ['qc_summed_weeks', 'qc_week_scores'],
  '0068_quality_totals': ['qc_summed_weeks'],
  '0081_quality_days': [
    ...['qc_day_scores', 'qc_summed_days', 'qc_summed_weeks'],
    ...['qc_week_reviews', 'qc_week_scores', 'qc_week_totals'],
  ],
  '0090_drop-ftp-guessers': ['ftp_guessers'],
  // texts of and about conversations that were emptied before, and quotes in notifications
  '0095_log_words': [
    ...['qc_conversations.assign_reason', 'qc_comments.content', 'qc_comment_edits.content', 'qc_reviews.comment'],
    ...['qc_scores.comment', 'qc_review_edits.before', 'qc_drafts.content', 'qc_escalations.reason'],
    ...['qc_escalations.description', 'qc_feedbacks.content', 'qc_feedbacks.answer', 'qc_calibrations.title'],
    ...['qc_calibration_reviews.comment', 'qc_calibration_reviews.scores', 'notifications.title', 'notifications.body'],
  ],
  // of two that were open at once, one is ended
  '0096_only_one_open': ['own_backups.status', 'own_backups.error', 'qc_feedbacks.status', 'qc_feedbacks.answer'],
}
const ROWS = 9
/** Number of kills for a released schema, and for one between releases. Beside PostgreSQL, the embedded database is killed once. */
const KILLS = { released: isProvenOnPostgres ? 1 : 4, other: 1 }

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const d = dice(seed)
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-upgrade-'))
const drops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drop of drops) await drop()
  rmSync(folder, { recursive: true })
})

let places = 0
/** The address of an empty database, or of a copy of a closed one. */
async function place(from?: string): Promise<string> {
  const { url, drop } = await emptyDatabase(from && URL.canParse(from) ? new URL(from).pathname.slice(1) : undefined)
  drops.push(drop)
  if (url !== 'memory:') return url
  const made = join(folder, `place${++places}`) // a folder, because a killed process leaves its data there
  if (from) cpSync(from, made, { recursive: true })
  return made
}
async function opened<T>(url: string, schema: number | 'as-is', use: (db: Db) => Promise<T>): Promise<T> {
  const database: Database = await openDatabase(url, { schema })
  try {
    return await use(database.db)
  } finally {
    await database.close()
  }
}

/** Starts a process on the database. Returns its exit code, or null if it was killed. */
async function start(url: string, nth?: number, when?: 'before' | 'after'): Promise<number | null> {
  const file = (name: string) => join(import.meta.dirname, '../../test', name)
  const env = { ...process.env, ...(nth && when && { KILL_NTH: String(nth), KILL_WHEN: when }) }
  const argv = ['--import', file('kill.ts'), file('upgrade.ts'), url]
  const [code] = await once(spawn(process.execPath, argv, { env, stdio: ['ignore', 'inherit', 'inherit'] }), 'close')
  return code
}

/** A schema's objects, one line each. */
async function schemaOf(db: Db): Promise<string[]> {
  const ours = sql`'public'::regnamespace`
  const found = await rows<{ line: string }>(
    db,
    sql`select 'column ' || a.attrelid::regclass || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' '
        || a.attidentity::text || a.attgenerated::text || coalesce(pg_get_expr(v.adbin, v.adrelid), '') as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relnamespace = ${ours} and c.relkind = 'r'
      left join pg_attrdef v on v.adrelid = a.attrelid and v.adnum = a.attnum where a.attnum > 0 and not a.attisdropped
    union all select 'index ' || pg_get_indexdef(indexrelid) from pg_index join pg_class c on c.oid = indexrelid
      and c.relnamespace = ${ours}
    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = ${ours}
    union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = ${ours} and prokind = 'f'
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all select 'extension ' || extname from pg_extension
    union all select 'migration ' || hash from drizzle.__drizzle_migrations`,
  )
  return found.map(({ line }) => line).sort()
}

type Kept = Record<string, Record<string, unknown>[]>
async function rowsOf(db: Db): Promise<Kept> {
  const kept: Kept = {}
  for (const { name } of await tablesOf(db))
    kept[name] = (
      await rows<{ row: Record<string, unknown> }>(db, sql`select to_jsonb(t) as row from ${sql.identifier(name)} t`)
    ).map(({ row }) => row)
  return kept
}

/** Expects every former row once and unchanged, except rewritten columns. */
function expectKept(before: Kept, after: Kept, rewritten: ReadonlySet<string>): void {
  for (const [table, list] of Object.entries(before)) {
    if (rewritten.has(table)) continue
    const columns = Object.keys(list[0] ?? {}).filter((column) => !rewritten.has(`${table}.${column}`))
    const print = (row: Record<string, unknown>) => JSON.stringify(columns.map((column) => [column, row[column]]))
    const found = Map.groupBy(after[table] ?? [], print)
    for (const row of list) expect(found.get(print(row)), `${table}: ${print(row)}`).toHaveLength(1)
  }
}

let fresh: Promise<string[]> | undefined
const newest = () => journal().entries.at(-1)?.when ?? 0
const freshSchema = async () => opened(await place(), newest(), schemaOf)
const { released } = JSON.parse(readFileSync(join(import.meta.dirname, '../../migrations/released.json'), 'utf8')) as {
  released: Record<string, Record<string, string>>
} // maintained by hand, and compared with the files by migrations.test.ts
const last = Object.values(released).map((files) => Object.keys(files).at(-1))

// every release, a slice of the schemas since the first one, and one older schema, from which no upgrade is promised. The
// embedded database tries one schema beside the releases, because a start takes seconds
const { entries } = journal()
const firstRelease = entries.findIndex(({ tag }) => tag === last[0])
const others = entries.slice(0, -1).filter(({ tag }) => !last.includes(tag))
const since = sliced(others.filter((entry) => entries.indexOf(entry) > firstRelease))
const few = isWhole ? others : [...(process.env.TEST_POSTGRES ? since : []), d.pick(others)]
const chosen = entries.slice(0, -1).filter((entry) => last.includes(entry.tag) || few.includes(entry))
/** A database that goes from each schema to the next one, so that each migration before a schema runs once and not in every test. */
let former: Promise<string> | undefined
async function placeAt(when: number): Promise<string> {
  former ??= place()
  const url = await former
  await opened(url, when, async () => {})
  return place(url)
}

describe(`an upgrade that is killed (SEED=${seed} SLICE=${sliceName})`, () => {
  it.each(chosen)('from $tag loses no row and reaches the newest schema', async ({ tag, when }) => {
    const url = await placeAt(when)
    const before = await opened(url, when, async (db) => {
      await fillTables(db, ROWS)
      return rowsOf(db)
    })
    for (const [table, list] of Object.entries(before))
      expect(list.length, table).toBeGreaterThanOrEqual(most(table) ?? ROWS)
    const statements = statementsAfter(when)
    for (let kill = 0; kill < KILLS[last.includes(tag) ? 'released' : 'other']; kill++) {
      const at = [4 + d.below(statements), d.pick(['before', 'after'] as const)] as const
      expect(await start(url, ...at), `killed at statement ${at.join(', ')}`).toBe(null)
    }
    const together = await Promise.all([start(url), ...(process.env.TEST_POSTGRES ? [start(url)] : [])])
    expect(together).toEqual(together.map(() => 0))
    fresh ??= freshSchema()
    const expected = await fresh
    await opened(url, 'as-is', async (db) => {
      expect(await schemaOf(db)).toEqual(expected)
      const later = entries.filter((entry) => entry.when > when).flatMap((entry) => rewrites[entry.tag] ?? [])
      expectKept(before, await rowsOf(db), new Set(later))
      await fillTables(db, 2) // checks that the upgraded database accepts new rows
    })
    console.log(`from ${tag}: ${statements} statements, ${Object.values(before).flat().length} rows`)
  })
})
