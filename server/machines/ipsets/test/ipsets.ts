import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { carryOutAll, enrolled, setAside } from '../../../test/work.ts'

export let t: TestApp
export let admin: string
export let web1: number
export let web2: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  web1 = await enrolled(t.app.db, 'web-1', { address: '10.77.1.11' })
  web2 = await enrolled(t.app.db, 'web-2', { address: '10.77.1.12' })
})
afterAll(() => t.close())
beforeEach(async () => {
  await setAside(t.app.db)
  await t.app.db.execute(sql`update ip_sets set deleted_at = now() where deleted_at is null`)
  await t.app.db.execute(sql`delete from ip_set_servers`)
})

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export const call = (method: Method, path: string, body?: unknown, token = admin) =>
  t.call(method, `/api/ipset/sets${path}`, { token, ...(body !== undefined && { body }) })

let n = 0
export async function made(more: object = {}): Promise<string> {
  const { status, body } = await call('POST', '', { name: `set-${++n}`, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.name
}
export const view = async (set: string) => (await call('GET', `/${set}`)).body
export const bans = async (set: string, query = '') =>
  (await call('GET', `/${set}/ips?itemsPerPage=200${query}`)).body.items
export const ban = (set: string, ip: string, more: object = {}) => call('POST', `/${set}/ips`, { ip, ...more })
export const unban = (set: string, ip: string) => call('DELETE', `/${set}/ips/${encodeURIComponent(ip)}`)
export const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

interface Received {
  whole: boolean
  change: number
  parts: { first: string; last: string; elements: { first: string; last: string; until: number }[] }[]
}
/** Runs all operations of a server; each line is `part: entries`. */
export async function work(server = web1): Promise<string[]> {
  const received: string[] = []
  await carryOutAll(t.app.db, server, ({ name, input }) => {
    if (name === 'ip-set.remove') received.push(`removes ${input.set}`)
    if (name !== 'ip-set.ensure') return {}
    const { whole, parts } = input as unknown as Received
    for (const { first, last, elements } of parts)
      received.push(
        `${whole ? 'whole ' : ''}${first}-${last}: ${elements.map((one) => (one.first === one.last ? one.first : `${one.first}-${one.last}`)).join(' ')}`.trim(),
      )
    return { output: { elements: parts.flatMap(({ elements }) => elements).length } }
  })
  return received
}
export const settled = async (more: object = {}) => {
  const set = await made(more)
  await work()
  await work(web2)
  return set
}
export const openOn = async (server: number) =>
  (
    await rows<{ n: number }>(
      t.app.db,
      sql`select count(distinct w.workflow_id)::int as n from workflows w join actions a on a.workflow_id = w.workflow_id
        where w.ended_at is null and a.server_id = ${server} and a.status in ('ready', 'running', 'pending')`,
    )
  )[0]?.n
