import pg from 'pg'
import { openDatabase } from '../../server/kit/db.ts'
import { otherTables } from './others.ts'
import { provider } from './provider.ts'

/** Rows of a table that nobody described, of so many websites. */
const plainRows = (websites: number) => Math.max(100, Math.floor(websites / 10))

/**
 * The database `bench_<n>` on a server, filled with a provider of `n` websites; one that is full is taken as it is. Goes
 * on where it was broken off, table by table, and takes at most `ms`: false when there is more to do.
 */
export async function fill(server: string, n: number, say: (line: string) => void, ms = Number.POSITIVE_INFINITY) {
  const began = Date.now()
  const url = await ensureDatabase(server, `bench_${n}`)
  await (await openDatabase(url)).close() // brings its schema to the newest
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' })
  await client.connect()
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB'`,
    )
    await client.query('create table if not exists bench_filled (name text primary key, rows int)')
    const counts = new Map(provider.map((part) => [part.table, part.rows(n)]))
    const parts = [
      ...provider.map(({ table, insert }) => ({ table, insert, rows: counts.get(table) ?? 0, dear: true })),
      ...otherTables(new Set([...counts.keys(), ...seeded])).map((plain) => ({
        ...plain,
        rows: plainRows(n),
        dear: false,
      })),
    ]
    for (const part of parts) {
      if ((await client.query('select from bench_filled where name = $1', [part.table])).rowCount) continue
      if (Date.now() - began > ms) return { url, full: false }
      await fillTable(client, part, counts, say)
    }
    return { url, full: true }
  } finally {
    await client.end()
  }
}

/** Come with the schema in their final number, or say who may sign in and who waits for whom: not for filling. */
const seeded = [
  ...['plans', 'server_types', 'secrets', 'action_outputs', 'resource_locks'],
  ...['sessions', 'sign_in_attempts', 'sign_in_links', 'second_factors'],
]

interface Wanted {
  table: string
  insert: string
  rows: number
  dear: boolean
}

/** Rows first, then the indexes: half the time of the other way round. */
async function fillTable(
  client: pg.Client,
  { table, insert, rows, dear }: Wanted,
  counts: Map<string, number>,
  say: (line: string) => void,
) {
  const began = performance.now()
  const text = insert.replace(/\{(\w+)\}/g, (_, other: string) => String(counts.get(other) ?? 5))
  await client.query('begin')
  try {
    const indexes = await client.query<{ name: string; definition: string }>(
      `select i.relname as name, pg_get_indexdef(i.oid) as definition from pg_index x join pg_class i on i.oid = x.indexrelid
       where x.indrelid = to_regclass($1) and not exists (select from pg_constraint c where c.conindid = i.oid)`,
      [`public.${table}`],
    )
    for (const { name } of indexes.rows) await client.query(`drop index "${name}"`)
    await client.query(text, [rows])
    for (const { definition } of indexes.rows) await client.query(definition)
    await client.query('insert into bench_filled values ($1, $2)', [table, rows])
    await client.query('commit')
    await client.query(`vacuum analyze "${table}"`)
    if (performance.now() - began > 3000)
      say(`  ${rows.toLocaleString('en-GB')} ${table} in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  } catch (error) {
    await client.query('rollback')
    if (dear) throw error
    say(`  ${table}: no rows, its definition alone does not say how: ${error instanceof Error ? error.message : error}`)
    await client.query('insert into bench_filled values ($1, 0)', [table])
  }
}

async function ensureDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  const known = await client.query('select from pg_database where datname = $1', [name])
  if (!known.rowCount) await client.query(`create database "${name}"`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Databases that were kept from earlier runs. */
export async function rowsOf(url: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string; rows: number }>('select name, rows from bench_filled')
  await client.end()
  return new Map(rows.map((row) => [row.name, row.rows]))
}
