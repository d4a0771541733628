import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { contract } from '@innkeeper/contract/index'
import type { Endpoint, Input } from '@innkeeper/contract/kit/endpoint'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { tablesOf } from '../../kit/ownBackup/backup.ts'
import { addressOf, type Call } from './calls.ts'
import { bodyWith, valuesOf } from './forms.ts'
import type { Sent } from './requests.ts'
import type { Row } from './world/row.ts'

/** Finds rows of the test world by content, so that requests need no fixed ids. */
export interface Rows {
  /** The first row of a table with these values, or with this text in some column. Throws without a match. */
  row(table: string, wanted?: string | Row): Row
  /** The id of that row, which is its first column. */
  id(table: string, wanted?: string | Row): number
}
type Values = Record<string, unknown>
type Fixture<T> = T | ((rows: Rows) => T | Promise<T>)
type Contract = typeof contract

/** A request for each writing call of a domain that succeeds in the world. Files and bytes are added automatically. */
export type Good<D extends keyof Contract> = {
  [C in keyof Contract[D]]?: Fixture<Partial<Input<Contract[D][C]>>>
}

/**
 * The requests by call name (`websites.create`), from `goodRequests.ts` of each domain, with one export per contract
 * domain.
 */
async function fixtures(): Promise<Map<string, Fixture<Values>>> {
  const found = new Map<string, Fixture<Values>>()
  for (const file of globSync(join(import.meta.dirname, '../../*/*/test/goodRequests.ts'))) {
    const domains = (await import(file)) as Record<string, Record<string, Fixture<Values>>> // each is of type Good
    for (const [domain, requests] of Object.entries(domains))
      for (const [call, fixture] of Object.entries(requests)) found.set(`${domain}.${call}`, fixture)
  }
  return found
}

/**
 * Returns a function that makes the known-good request of a call, if its domain has one. `note` hears which rows a request
 * names by their id.
 */
export async function goodRequests(
  db: Db,
  note: (table: string, id: number) => void = () => {},
): Promise<(call: Call) => Promise<Sent | undefined>> {
  const [known, world] = [await fixtures(), await rowsOf(db, note)]
  return async ({ name, endpoint }) => {
    const fixture = known.get(name)
    if (!fixture) return undefined
    return requestOf(endpoint, typeof fixture === 'function' ? await fixture(world) : fixture)
  }
}

/** Distributes values to path, query and body, as the contract requires. */
function requestOf(endpoint: Endpoint, values: Values): Sent {
  const of = (schema: { shape: object } | undefined) =>
    Object.entries(values).filter(([key]) => schema && key in schema.shape)
  const { method, path, schemas } = endpoint
  const params = of(schemas.params).map(([key, value]) => [key, encodeURIComponent(String(value))])
  const query = new URLSearchParams(of(schemas.query).map(([key, value]): [string, string] => [key, String(value)]))
  const url = `${addressOf(path, Object.fromEntries(params))}${query.size ? `?${query}` : ''}`
  if (method === 'GET') return { method, url, headers: {} }
  const { payload, type } = bodyWith(endpoint, Object.fromEntries(of(valuesOf(endpoint))))
  return { method, url, headers: { 'content-type': type }, payload }
}

async function rowsOf(db: Db, note: (table: string, id: number) => void): Promise<Rows> {
  const tables = new Map<string, Row[]>()
  for (const { name } of await tablesOf(db))
    tables.set(name, await rows<Row>(db, sql`select * from ${sql.identifier(name)} order by 1`))
  const row: Rows['row'] = (table, wanted = {}) => {
    const fits = (one: Row) =>
      typeof wanted === 'string'
        ? Object.values(one).includes(wanted)
        : Object.entries(wanted).every(([column, value]) => one[column] === value)
    const found = tables.get(table)?.find(fits)
    if (!found)
      throw new Error(
        `The world has no row of ${table} with ${JSON.stringify(wanted)}; add it in server/test/hostile/world`,
      )
    return found
  }
  const id: Rows['id'] = (table, wanted) => {
    const found = Number(Object.values(row(table, wanted))[0])
    note(table, found)
    return found
  }
  return { row, id }
}
