import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverFolder } from '../app/serverFolder.ts'

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
