import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { writeKeyFile } from '../app/keyFile.ts'
import { Keyring, WrongKey } from '../app/keyring.ts'
import type { Settings } from '../app/settings.ts'
import { brokenSeal } from '../audit/seal.ts'
import { type Db, rows } from '../db/db.ts'
import { reasonOf } from '../db/failures.ts'
import { MIGRATING, schemaOf, schemas } from '../db/migrations.ts'
import { openDatabase } from '../db/open.ts'
import { identities, plainText, type Table, tablesOf } from './backup.ts'
import { type Header, NotWhole, type Part, readBackup } from './backupFile.ts'

/** Tables that migrations fill: a database with rows only in these tables is empty. */
const provided: ReadonlySet<string> = new Set([
  'dossier_talk_templates',
  'leave_types',
  'plan_versions',
  'plans',
  'server_types',
  'tracker_settings',
])
/**
 * Agents identify actions by id. They must not mistake a new action for one that they ran after the backup, so ids
 * continue far beyond those of the backup.
 */
const LEAP = 10_000_000

type Place = Pick<Settings, 'database' | 'dataDir' | 'embedded' | 'key'>
interface Choices {
  /** Restores even if the chain of the action log is broken. */
  brokenLog?: boolean
  say?: (line: string) => void
}

/**
 * Restores a backup into an empty database, completely or not at all. Innkeeper must be stopped, because a running
 * process has created an administrator and keys and caches them. All sessions end, because a session that was ended
 * after the backup would be valid again. Credentials of agents stay valid.
 */
export async function restore(
  place: Place,
  path: string,
  { brokenLog = false, say = () => {} }: Choices = {},
): Promise<void> {
  const began = performance.now()
  // read the whole file first: nothing is written from a damaged one, or one whose secrets the key does not open
  const header = await readBackup(path, keyCheck(path, place.key))
  const known = schemas()
  if (!known.includes(header.schema))
    throw new Error(`${path} is of a newer Innkeeper, or of another: restore it with the version that made it`)
  say(`${path} of ${header.taken} is whole. Restoring…`)
  const opened = await openDatabase(place.database, { schema: header.schema, owner: true, now: true })
  try {
    const count = await opened.db.transaction((tx) => load(tx, place, path, header, brokenLog))
    await opened.db.execute(sql`analyze`)
    say(`${count} rows, in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  } finally {
    await opened.close()
  }
  if (header.schema !== known.at(-1)) {
    await (await openDatabase(place.database, { now: true })).close()
    say('The backup was of an older version. Its tables were migrated to this version.')
  }
  say('Everybody signs in again. Agents reconnect once Innkeeper runs at its former address.')
}

async function load(tx: Db, place: Place, path: string, header: Header, brokenLog: boolean): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATING})`) // other nodes that start now wait
  await tx.execute(plainText)
  const tables = await tablesOf(tx)
  await expectEmpty(tx, place, tables, header)
  for (const { name } of tables.toReversed())
    if (provided.has(name)) await tx.execute(sql`delete from ${sql.identifier(name)}`)

  const references = await forward(tx, tables) // foreign keys in cycles of tables: checked at the commit
  for (const one of references) await tx.execute(sql`${one} deferrable initially deferred`)
  // the rows are those that the triggers let in: a closed month would refuse its own shifts
  const guarded = await withTriggers(tx)
  for (const name of guarded) await tx.execute(sql`alter table ${sql.identifier(name)} disable trigger user`)
  const missing = new Map(tables.map((table) => [table.name, table]))
  let { key } = place
  let count = 0
  const again = await readBackup(path, async (part, batch) => {
    count += part.part === 'table' ? batch.length : 0
    if (part.part === 'key') key = keyIn(batch) ?? key
    else if (part.part === 'sequences') await setSequences(tx, batch)
    else {
      const table = tables.find(({ name }) => name === part.name)
      if (!table) throw new NotWhole(`${path} has a table ${part.name}, which this schema has not`)
      missing.delete(part.name)
      await insert(tx, table, part, batch)
    }
  })
  if (JSON.stringify(again) !== JSON.stringify(header)) throw new NotWhole(`${path} was changed while it was read`)
  if (missing.size) throw new NotWhole(`${path} lacks ${[...missing.keys()].join(', ')}`)
  await tx.execute(sql`set constraints all immediate`)
  for (const one of references) await tx.execute(sql`${one} not deferrable`)
  for (const name of guarded) await tx.execute(sql`alter table ${sql.identifier(name)} enable trigger user`)

  await tx.execute(sql`update sessions set revoked_at = now() where revoked_at is null`)
  const broken = await brokenSeal(tx)
  if (broken && !brokenLog)
    throw new Error(
      `The action log in ${path} is not what was sealed: row ${broken.position} of the chain is ${broken.reason}. Look for another backup; --broken-log takes this one nevertheless.`,
    )
  if (key !== place.key) adopt(place, key) // before the commit: an error here rolls back the restore
  return count
}

async function withTriggers(tx: Db): Promise<string[]> {
  const found = await rows<{ name: string }>(
    tx,
    sql`select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
      and exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)`,
  )
  return found.map(({ name }) => name)
}

/** Foreign keys to rows that are filled later, each as the start of an `alter table … alter constraint` statement. */
async function forward(tx: Db, tables: Table[]): Promise<SQL[]> {
  const found = await rows<{ from: string; to: string; name: string }>(
    tx,
    sql`select c.relname as from, r.relname as to, f.conname as name from pg_constraint f
      join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid
      where f.contype = 'f' and f.connamespace = 'public'::regnamespace and not f.condeferrable`,
  )
  const at = (table: string) => tables.findIndex(({ name }) => name === table)
  return found
    .filter(({ from, to }) => at(from) <= at(to)) // within one table, a row may precede the row that it references
    .map(({ from, name }) => sql`alter table ${sql.identifier(from)} alter constraint ${sql.identifier(name)}`)
}

async function expectEmpty(tx: Db, place: Place, tables: Table[], header: Header): Promise<void> {
  const names = tables.map(({ name }) => sql.identifier(name))
  await tx.execute(sql`lock table ${sql.join(names, sql`, `)} in access exclusive mode`)
  const full: string[] = []
  for (const { name } of tables) {
    if (provided.has(name)) continue
    const [found] = await rows<{ some: boolean }>(tx, sql`select exists(select from ${sql.identifier(name)}) as some`)
    if (found?.some) full.push(name)
  }
  const how = place.embedded
    ? `Stop Innkeeper and move ${place.database} away, or set INNKEEPER_DATA to a new folder`
    : 'Create another one and set DATABASE_URL to it'
  if (full.length)
    throw new Error(`This database is not empty (${full.join(', ')}), and restore replaces nothing. ${how}.`)
  if ((await schemaOf(tx)) !== header.schema)
    throw new Error(`This database is of a newer version than the backup, which needs one that is all new. ${how}.`)
}

async function insert(tx: Db, table: Table, part: Part, batch: string[]): Promise<void> {
  const columns = part.columns.map((name) => {
    const column = table.columns.find((c) => c.name === name)
    if (!column) throw new NotWhole(`The backup has a column ${table.name}.${name}, which this schema has not`)
    return column
  })
  if (!batch.length) return
  const names = columns.map((c) => sql.identifier(c.name))
  // the database itself supplied the type name
  const values = columns.map((c, n) => sql.raw(`(r.line->>${n})::${c.type}`))
  const filled = tx.execute(
    sql`insert into ${sql.identifier(table.name)} (${sql.join(names, sql`, `)}) overriding system value
      select ${sql.join(values, sql`, `)} from jsonb_array_elements(${`[${batch.join(',')}]`}::jsonb) r(line)`,
  )
  await filled.catch((cause: unknown) => {
    throw new Error(`A row of ${table.name} is refused: ${reasonOf(cause)}`, { cause })
  })
}

/** Sequences continue at their old values, also after deleted rows. */
async function setSequences(tx: Db, batch: string[]): Promise<void> {
  await tx.execute(
    sql`select setval(pg_get_serial_sequence(a.attrelid::regclass::text, a.attname),
        (r.line->>2)::bigint + case when a.relname = 'actions' then ${LEAP}::int else 0 end)
      from jsonb_array_elements(${`[${batch.join(',')}]`}::jsonb) r(line)
      join (${sql`select a.attrelid, a.attname, c.relname from ${identities}`}) a
        on a.relname = r.line->>0 and a.attname = r.line->>1`,
  )
}

/** Throws at the first secret that the key does not open, or the key in the file if it has one. */
function keyCheck(path: string, given: string): (part: Part, batch: string[]) => Promise<void> {
  let ring = new Keyring(given)
  const wrong = () =>
    new WrongKey(`${path} was made under another key: does INNKEEPER_KEY differ from the key of that day?`)
  const learn = (row: Parameters<Keyring['learn']>[0]) => {
    try {
      ring.learn(row)
    } catch (error) {
      throw error instanceof WrongKey ? wrong() : error
    }
  }
  return async (part, batch) => {
    if (part.part === 'key') ring = new Keyring(keyIn(batch) ?? given)
    if (part.part !== 'table') return
    const read = (line: string): Record<string, string | null> =>
      Object.fromEntries((JSON.parse(line) as (string | null)[]).map((value, n) => [part.columns[n], value]))
    for (const line of batch) {
      if (part.name === 'encryption_keys') learn(keysIn(read(line)))
      if (part.name !== 'secrets') continue
      const { name, sealed, lost_at: lost } = read(line)
      if (!lost && ring.open(name ?? '', sealed ?? '') === undefined) throw wrong()
    }
  }
}

const keysIn = ({ proof, former_proof: formerProof, next, former }: Record<string, string | null>) => ({
  ...{ proof: proof ?? '', formerProof: formerProof ?? null, next: next ?? null, former: former ?? null },
})

const keyIn = ([line]: string[]): string | undefined => (line === undefined ? undefined : String(JSON.parse(line)[0]))

/** Stores the key of the backup in the data folder, unless a setting has the key. */
function adopt({ dataDir, key }: Place, found: string): void {
  const file = join(dataDir, 'key')
  if (!existsSync(file) || readFileSync(file, 'utf8').trim() !== key)
    throw new Error('The backup carries its key, and INNKEEPER_KEY is another: set it to the one in the file')
  writeKeyFile(file, found)
}
