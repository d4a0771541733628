import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { serverFolder } from '../app/serverFolder.ts'
import { type Db, rows } from './db.ts'

/** Channel of NOTIFY about a raised oldest program. */
export const SCHEMA_CHANNEL = 'schema'

/**
 * Advisory lock for migrations: only one of several starting nodes migrates. A restore holds the lock until its end.
 */
export const MIGRATING = 4_400_001

export const folder = join(serverFolder, 'migrations')
const journalFile = 'meta/_journal.json'

interface Journal {
  entries: { when: number; tag: string }[]
}
/** Migrations that drizzle-kit generated, oldest first. */
// written by drizzle-kit
export const journal = () => JSON.parse(readFileSync(join(folder, journalFile), 'utf8')) as Journal

/** All schema versions, oldest first: the time of their last migration. */
export const schemas = (): number[] => journal().entries.map((entry) => entry.when)

/**
 * Tag of the newest migration that a program must know to run on the newest schema. A migration that an older program
 * would fail on, or be wrong about, raises it; migrations.test.ts finds the usual ones.
 */
export const oldestProgram = (): string =>
  // maintained by hand
  (JSON.parse(readFileSync(join(folder, 'oldest.json'), 'utf8')) as { oldest: string }).oldest

/** This program is older than the schema of the database allows. */
export class TooOld extends Error {}

const newest = () => schemas().at(-1) ?? 0

/** Throws TooOld if the schema needs a newer program. Returns a hint if the schema is newer, but bears this program. */
export async function checkProgram(db: Db, known = newest()): Promise<string | undefined> {
  const [place] = await rows<{ there: boolean }>(
    db,
    sql`select to_regclass('drizzle.oldest_program') is not null as there`,
  )
  if (!place?.there) return undefined
  const [found] = await rows<{ at: number; tag: string; schema: number }>(
    db,
    sql`select at::float8 as at, tag, (select max(created_at)::float8 from drizzle.__drizzle_migrations) as schema
      from drizzle.oldest_program`,
  )
  if (!found) return undefined
  if (found.at > known)
    throw new TooOld(
      `This Innkeeper is too old for its database, which a newer one has changed (${found.tag}). Update this node to that version or a later one.`,
    )
  return found.schema > known
    ? 'The database is of a newer Innkeeper. This older one may run on it: update this node, too.'
    : undefined
}

/** The schema of the database: the time of its last migration; undefined if it has none. */
export async function schemaOf(db: Db): Promise<number | undefined> {
  const [place] = await rows<{ there: boolean }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!place?.there) return undefined
  const [last] = await rows<{ at: number | null }>(
    db,
    sql`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`,
  )
  return last?.at ?? undefined
}

/** Stores the oldest program that may run on this schema, and tells running nodes. */
export async function statePrograms(db: Db): Promise<void> {
  const tag = oldestProgram()
  const at = journal().entries.find((entry) => entry.tag === tag)?.when
  if (at === undefined) throw new Error(`oldest.json names no migration: ${tag}`)
  await db.execute(sql`create table if not exists drizzle.oldest_program (one integer primary key default 1 check (one = 1),
    at bigint not null, tag text not null)`)
  const raised = await rows(
    db,
    sql`insert into drizzle.oldest_program as o (at, tag) values (${at}, ${tag})
      on conflict (one) do update set at = excluded.at, tag = excluded.tag where o.at < excluded.at returning 1`,
  )
  if (raised.length) await db.execute(sql`select pg_notify(${SCHEMA_CHANNEL}, '')`)
}

/** Number of statements that migrate this schema to the newest. */
export const statementsAfter = (schema: number): number =>
  journal()
    .entries.filter(({ when }) => when > schema)
    .map(({ tag }) => readFileSync(join(folder, `${tag}.sql`), 'utf8').split('--> statement-breakpoint').length)
    .reduce((sum, count) => sum + count, 0)

/**
 * Runs the migrations up to `schema`, or all. Drizzle only runs whole folders, so a part of the migrations is copied to
 * a temporary one.
 */
export async function migrateTo(schema: number | undefined, run: (folder: string) => Promise<void>): Promise<void> {
  if (schema === undefined) return run(folder)
  const some = mkdtempSync(join(tmpdir(), 'innkeeper-migrations-'))
  try {
    cpSync(folder, some, { recursive: true })
    const all = journal()
    const entries = all.entries.filter((entry) => entry.when <= schema)
    writeFileSync(join(some, journalFile), JSON.stringify({ ...all, entries }))
    await run(some)
  } finally {
    rmSync(some, { recursive: true })
  }
}
