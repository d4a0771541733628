import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { Database } from '../kit/db/db.ts'
import { folder as migrations } from '../kit/db/migrations.ts'
import { openDatabase } from '../kit/db/open.ts'
import { databaseOn } from './emptyDatabase.ts'

const kept = join(tmpdir(), 'innkeeper-templates')
const WEEK_MS = 7 * 86_400_000

/**
 * The data folder of a new embedded database with every migration, as a tar for `openDatabase(…, { from })`. Creating
 * it takes seconds, loading it a fraction of a second: so the first test that needs it stores it in the temporary
 * folder.
 */
export async function template(): Promise<Blob> {
  const file = join(kept, `${await fingerprint()}.tar`)
  if (!existsSync(file)) await make(file)
  const now = new Date()
  await utimes(file, now, now) // marks the file as in use, so that `sweep` keeps it
  return new Blob([await readFile(file)])
}

/** Writes the file under another name and renames it, so that parallel processes never read an incomplete file. */
async function make(file: string): Promise<void> {
  const database = await openDatabase('memory:')
  const dump = await dumpOf(database)
  await database.close()
  await mkdir(kept, { recursive: true })
  await sweep()
  const part = `${file}.${crypto.randomUUID()}`
  await writeFile(part, dump.stream())
  await rename(part, file)
}

/** The data folder of an embedded database. */
export async function dumpOf({ db }: Database): Promise<Blob> {
  await db.execute(sql`checkpoint`) // otherwise each database that loads the dump begins with a recovery
  const { $client: lite } = db as unknown as { $client: PGlite } // Drizzle's, of an embedded database
  return lite.dumpDataDir('none')
}

const MAKING = 4_400_002

/** Creates the same template on a PostgreSQL server. Returns the name of the database from which tests copy theirs. */
export async function templateOn(server: string): Promise<string> {
  const name = `template_${await fingerprint()}`
  const part = `${name}_part`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MAKING]) // only one process creates the template
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return name
    await client.query(`drop database if exists ${part}`) // left by a process that was killed
    await client.query(`create database ${part}`)
    await (await openDatabase(databaseOn(server, part))).close()
    await client.query(`alter database ${part} rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

/** Keeps a database for this process to copy from, and drops those of processes that have ended. */
export async function keepOn(server: string, name: string): Promise<string> {
  const kept = `frozen_${process.pid}_${name}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MAKING])
    const old = await client.query<{ datname: string }>(
      "select datname from pg_database where datname like 'frozen@_%' escape '@'",
    )
    for (const { datname } of old.rows)
      if (!isAlive(Number(datname.split('_')[1]))) await client.query(`drop database ${datname} with (force)`)
    await client.query(`alter database ${name} rename to ${kept}`)
    return kept
  } finally {
    await client.end()
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // no process has this id
  }
}

/** Removes templates of former schemas. */
async function sweep(): Promise<void> {
  for (const name of await readdir(kept)) {
    const old = join(kept, name)
    const { mtimeMs } = await stat(old).catch(() => ({ mtimeMs: Date.now() })) // another process has deleted the file
    if (mtimeMs < Date.now() - WEEK_MS) await rm(old, { force: true })
  }
}

/** A digest of everything that determines the database: PGlite, its options, and the migrations. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort()
  for (const file of [
    join(pglite, '../../package.json'),
    join(import.meta.dirname, '../kit/db/driver/embedded.ts'),
    join(migrations, 'meta/_journal.json'),
    ...names.map((name) => join(migrations, name)),
  ])
    hash.update(await readFile(file)).update('\0')
  return hash.digest('hex').slice(0, 24)
}
