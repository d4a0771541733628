import pg from 'pg'
import { openDatabase } from '../../server/kit/db/open.ts'
import { desk } from './desk.ts'
import { dossiers } from './dossiers.ts'
import { inOne, setIndexesAside, setIndexesBack } from './indexes.ts'
import { names } from './names.ts'
import { otherTables } from './others.ts'
import { provider } from './provider.ts'
import { services } from './services.ts'
import { staff } from './staff.ts'
import { year } from './year.ts'

/** Number of rows in a table without a description, for so many websites. */
const plainRows = (websites: number) => Math.max(100, Math.floor(websites / 10))
const CHUNK = 1_000_000

/** Tables that migrations fill, or that control sign-ins and locks; not filled. */
const notFilled = [
  ...[
    'plans',
    'server_types',
    'dns_settings',
    'leave_types',
    'shift_settings',
    'secrets',
    'action_outputs',
    'resource_locks',
  ],
  ...['sessions', 'sign_in_attempts', 'sign_in_links', 'second_factors'],
]

/**
 * Creates the database `bench_<n>` on a server, filled for a provider with `n` websites, and answers its url. A filled
 * database is reused; an interrupted fill continues after its last step.
 */
export async function fill(server: string, n: number, say: (line: string) => void): Promise<string> {
  const url = await ensureDatabase(server, `bench_${n}`)
  await (await openDatabase(url)).close() // migrates the schema
  const client = await connected(url)
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB';
      create table if not exists bench_filled (name text primary key, rows int not null, done boolean not null default false);
      create table if not exists bench_indexes (name text primary key, owner text not null, definition text not null)`)
    for (const part of partsOf(n)) await fillPart(client, part, say)
    // autovacuum does the same within hours; the vacuum of a part leaves pages that a snapshot of that moment held back
    await client.query('vacuum')
    return url
  } finally {
    await client.end()
  }
}

/** Adds a year of history to a filled database. */
export async function fillYear(url: string, n: number, say: (line: string) => void): Promise<void> {
  const client = await connected(url)
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB'`,
    )
    const counts = new Map(year.map((part) => [part.table, part.rows(n)]))
    for (const part of partsOf(n)) if (!counts.has(part.table)) counts.set(part.table, part.rows)
    const { rows } = await client.query<{ vhosts: number }>('select count(*)::int as vhosts from vhosts')
    const filled = { ...Object.fromEntries(counts), vhosts: Math.max(1, rows[0]?.vhosts ?? 1), websites: n }
    for (const { table, insert, rows } of year) {
      const text = insert.replace(/\{(\w+)\}/g, (_, other: keyof typeof filled) => String(filled[other] ?? 5))
      await fillPart(client, { name: `a year of ${table}`, table, insert: text, rows: rows(n), described: true }, say)
    }
  } finally {
    await client.end()
  }
}

interface Part {
  /** Name of the step in `bench_filled`. */
  name: string
  table: string
  insert: string
  rows: number
  /** Described by hand, so it must succeed. */
  described: boolean
}

function partsOf(n: number): Part[] {
  const described = [...provider, ...staff, ...dossiers, ...names, ...desk, ...services]
  const counts = new Map(described.map((part) => [part.table, part.rows(n)]))
  const others = otherTables(new Set([...counts.keys(), ...notFilled]))
  for (const { table } of others) counts.set(table, plainRows(n))
  const text = (insert: string) => insert.replace(/\{(\w+)\}/g, (_, other: string) => String(counts.get(other) ?? 5))
  return [
    ...described.map(({ table, insert, rows }) => ({
      ...{ name: table, table, insert: text(insert) },
      ...{ rows: rows(n), described: true },
    })),
    ...others.map(({ table, insert }) => ({
      ...{ name: table, table, insert: text(insert) },
      ...{ rows: plainRows(n), described: false },
    })),
  ]
}

/**
 * Inserts rows before creating indexes, which halves the time. Each step is committed, so the next run continues after
 * it.
 */
async function fillPart(client: pg.Client, part: Part, say: (line: string) => void): Promise<void> {
  const { name, table, insert, rows, described } = part
  const read = async () => {
    const { rows: known } = await client.query('select rows, done from bench_filled where name = $1', [name])
    return (known[0] ?? { rows: 0, done: false }) as { rows: number; done: boolean } // a row of bench_filled
  }
  const known = await read()
  if (known.done) return
  const began = performance.now()
  try {
    if (known.rows === 0) await setIndexesAside(client, table)
    for (let from = known.rows + 1; from <= rows; from += CHUNK) {
      const to = Math.min(rows, from + CHUNK - 1)
      await inOne(client, async () => {
        await client.query(insert, [from, to])
        await note(client, name, to, false)
      })
    }
    await setIndexesBack(client, table)
  } catch (error) {
    if (described) throw error
    say(
      `  ${table}: no rows, because its definition does not say how: ${error instanceof Error ? error.message : error}`,
    )
    await client.query(`delete from "${table}"`)
    await note(client, name, 0, false)
    await setIndexesBack(client, table)
  }
  await client.query(`vacuum analyze "${table}"`)
  await note(client, name, (await read()).rows, true)
  const seconds = (performance.now() - began) / 1000
  if (seconds > 3) say(`  ${rows.toLocaleString('en-GB')} ${table} in ${seconds.toFixed(0)} s`)
}

const note = (client: pg.Client, name: string, rows: number, done: boolean) =>
  client.query(
    `insert into bench_filled values ($1, $2, $3) on conflict (name) do update set rows = excluded.rows, done = excluded.done`,
    [name, rows, done],
  )

/** Url of a database of this name on a server, created if necessary. */
export async function ensureDatabase(server: string, name: string): Promise<string> {
  const client = await connected(server)
  const known = await client.query('select from pg_database where datname = $1', [name])
  if (!known.rowCount) await client.query(`create database "${name}"`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' })
  await client.connect()
  return client
}
