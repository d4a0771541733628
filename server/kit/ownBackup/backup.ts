import { existsSync, statSync } from 'node:fs'
import { type SQL, sql } from 'drizzle-orm'
import { secretsUnder } from '../app/secrets.ts'
import type { Settings } from '../app/settings.ts'
import { type Db, rows } from '../db/db.ts'
import { schemaOf } from '../db/migrations.ts'
import { type Filled, writeBackup } from './backupFile.ts'

interface Column {
  name: string
  /** Type as PostgreSQL writes it: `timestamp(3) with time zone`. */
  type: string
}
export interface Table {
  name: string
  columns: Column[]
}

const BATCH = 500

/** Settings for text formats that do not depend on the server or user. */
export const plainText = sql`select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
  set_config('extra_float_digits', '1', true), set_config('timezone', 'UTC', true)`

/**
 * Writes a consistent snapshot of the database into one file. On PostgreSQL other work continues; the embedded database
 * has one connection, so other work waits. The key is only included on request.
 */
export async function backup(
  db: Db,
  { key, embedded }: Pick<Settings, 'key' | 'embedded'>,
  path: string,
  { withKey = false, say = () => {} }: { withKey?: boolean; say?: (line: string) => void } = {},
): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} is there already, and a backup overwrites nothing`)
  const current = withKey ? await secretsUnder(key).currentKey(db) : undefined
  const began = performance.now()
  const count = { tables: 0, rows: 0 }
  await db.transaction(
    async (tx) => {
      await tx.execute(plainText)
      const schema = await schemaOf(tx)
      if (schema === undefined) throw new Error('There is no Innkeeper in this database')
      const from = embedded ? 'embedded' : 'postgresql'
      const header = { innkeeper: 'backup', format: 1, schema, taken: new Date().toISOString(), from } as const
      await writeBackup(path, header, partsOf(tx, current, count))
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const megabytes = (statSync(path).size / 1e6).toFixed(1)
  say(`${path}: ${count.tables} tables, ${count.rows} rows, ${megabytes} MB, in ${seconds} s`)
  say(
    withKey
      ? 'INNKEEPER_KEY is in it: whoever has this file has every secret.'
      : `INNKEEPER_KEY is not in it. Keep it in another place: without it this file cannot be restored.`,
  )
}

async function* partsOf(
  tx: Db,
  key: string | undefined,
  count: { tables: number; rows: number },
): AsyncGenerator<Filled> {
  if (key !== undefined) yield { part: 'key', name: 'key', columns: ['key'], batches: once([JSON.stringify([key])]) }
  // a restore under a wrong key ends at once
  const early = ['encryption_keys', 'secrets']
  const isLate = (table: Table) => !early.includes(table.name)
  const tables = (await tablesOf(tx)).toSorted((a, b) => Number(isLate(a)) - Number(isLate(b)))
  for (const { name, columns } of tables) {
    count.tables += 1
    yield { part: 'table', name, columns: columns.map((c) => c.name), batches: rowsOf(tx, name, columns, count) }
  }
  // read after the rows: sequences ignore snapshots, and may be ahead of the rows but not behind
  const sequences = await rows<{ line: string }>(
    tx,
    sql`select json_build_array(a.attrelid::regclass::text, a.attname, s.last_value::text)::text as line from ${identities}
      join pg_sequences s on format('%I.%I', s.schemaname, s.sequencename)::regclass =
        pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass
      where s.last_value is not null order by 1`,
  )
  const columns = ['table', 'column', 'last']
  yield { part: 'sequences', name: 'sequences', columns, batches: once(sequences.map((s) => s.line)) }
}

async function* once(batch: string[]): AsyncGenerator<string[]> {
  yield batch
}

/** Reads rows through a cursor, so that no table is in memory as a whole. */
async function* rowsOf(tx: Db, name: string, columns: Column[], count: { rows: number }): AsyncGenerator<string[]> {
  const values = sql.join(
    columns.map((c) => sql`${sql.identifier(c.name)}::text`),
    sql`, `,
  )
  await tx.execute(sql`declare part no scroll cursor for
    select json_build_array(${values})::text as line from ${sql.identifier(name)}`)
  for (let got = BATCH; got === BATCH; ) {
    const batch = await rows<{ line: string }>(tx, sql`fetch ${sql.raw(String(BATCH))} from part`)
    got = batch.length
    count.rows += got
    yield batch.map((row) => row.line)
  }
  await tx.execute(sql`close part`)
}

/** Identity columns of our tables, as `a`. */
export const identities: SQL = sql`pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
  and c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`

/**
 * All tables, each after the tables that it references; within a cycle, after the tables that it requires (not null).
 */
export async function tablesOf(db: Db): Promise<Table[]> {
  const found = await rows<Table & { after: string[]; needs: string[] }>(
    db,
    sql`select c.relname as name,
        (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
          from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
        f.after, f.needs
      from pg_class c cross join lateral (
        select coalesce(json_agg(distinct r.relname), '[]') as after,
          coalesce(json_agg(distinct r.relname) filter (where exists (select from pg_attribute a
            where a.attrelid = f.conrelid and a.attnum = any (f.conkey) and a.attnotnull)), '[]') as needs
        from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid) f
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname`,
  )
  const ordered: Table[] = []
  const placed = (name: string) => ordered.some((table) => table.name === name)
  const isNext = (which: 'after' | 'needs') => found.find((table) => !placed(table.name) && table[which].every(placed))
  while (ordered.length < found.length) {
    const next = isNext('after') ?? isNext('needs')
    if (!next) throw new Error('Tables need each other in a circle: no row of them could ever be the first')
    ordered.push({ name: next.name, columns: next.columns })
  }
  return ordered
}
