import { expect } from 'vitest'
import { claim, finish } from '../../../kit/work/claim.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { enrolled } from '../../../test/work.ts'

export let t: TestApp
export let admin: string
export let ns1: number
export let ns2: number
/** Starts an app with two name servers. For `beforeAll`. */
export async function openDns(): Promise<void> {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  ns1 = await enrolled(t.app.db, 'ns-1', { type: 'dns', address: '10.77.1.11' })
  ns2 = await enrolled(t.app.db, 'ns-2', { type: 'dns', address: '10.77.1.12' })
}
/** Stops the app. For `afterAll`. */
export const closeDns = () => t.close()

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export const call = (method: Method, path: string, body?: unknown, token = admin) =>
  t.call(method, `/api/dns${path}`, { token, ...(body !== undefined && { body }) })
export const a = (name: string, content = '192.0.2.1', more = {}) => ({ name, type: 'A', ttl: 300, content, ...more })

let n = 0
/** A new zone, `zone1.example` and so on. */
export async function made(more: object = {}) {
  const { status, body } = await call('POST', '/zones', { domain: `zone${++n}.example`, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
export const one = async (id: number) => (await call('GET', `/zones/${id}`)).body
export const recordsOf = async (id: number, search = '') =>
  (await call('GET', `/records?zoneId=${id}&itemsPerPage=200${search}`)).body.items as {
    id: number
    name: string
    content: string
  }[]
export const change = async (zoneId: number, body: object, token = admin) =>
  call('PATCH', '/records', { zoneId, ...body }, token)

/** Runs all ready operations like correct name servers; `say` may override their answers. */
export async function work(say: (name: string, server: number | null) => unknown = () => undefined): Promise<string[]> {
  const names: string[] = []
  for (let idle = 0; idle < 2; ) {
    idle += 1
    for (const server of [ns1, ns2, null])
      for (const lane of ['short', 'long'] as const)
        for (const op of await claim(t.app.db, server, lane, 8)) {
          idle = 0
          names.push(op.name)
          const output = say(op.name, server) ?? usual(op.name, op.input)
          const { id, attempt } = op
          const end =
            output instanceof Error
              ? { status: 'failed' as const, reason: output.message }
              : { status: 'done' as const, output }
          await finish(t.app.db, server, [{ id, attempt, ...end }])
        }
  }
  return names
}
function usual(name: string, input: Record<string, unknown>): unknown {
  if (name === 'zone.probe') return { servers: [ns1, ns2].map((id) => ({ id, serial: input.serial })) }
  return name === 'dns-zone.ensure' ? { serial: input.serial, changed: 1, ds: input.signed ? ['1 13 2 ab'] : [] } : {}
}
