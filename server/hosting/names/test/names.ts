import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { actions } from '../../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { carryOutAll, enrolled } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'
import { websites } from '../../websites/tables.ts'

export let t: TestApp
let admin: string
export let server: number
/** A web server whose agent runs all operations. For `beforeAll`. */
export async function openNames(): Promise<void> {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-names', { provisionedAt: new Date().toISOString() })
}
/** For `afterAll`. */
export const closeNames = () => t.close()

export const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api/websites${path}`, { token, body })
/** Runs all ready actions; the action named `failing` fails. */
export const carryOut = (failing?: string) =>
  carryOutAll(t.app.db, server, ({ name }) => (name === failing ? { status: 'failed', reason: 'no' } : {}))
export const owner = async (name = 'Kari') =>
  (await t.app.db.insert(owners).values({ name, email: 'kari@example.org' }).returning())[0]!.id
export async function site(domain: string, more: { userId?: number; database?: boolean } = {}): Promise<number> {
  const wanted = { originServer: server, domain, plan: 'Business', ...more, userId: more.userId ?? (await owner()) }
  const { status, body } = await call('POST', '', wanted)
  expect(status, JSON.stringify(body)).toBe(201)
  await carryOut()
  return body.data.id
}
export async function alias(id: number, domain: string, more = {}): Promise<number> {
  const { status, body } = await call('POST', `/${id}/alias`, { domain, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  await carryOut()
  return body.data.id
}
export async function sub(id: number, domain: string, more = {}): Promise<number> {
  const { status, body } = await call('POST', `/${id}/subwebsite`, { domain, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  await carryOut()
  return body.data.id
}
export const one = async (id: number) => (await call('GET', `/${id}`)).body
export const stepsOf = (workflowId: number) =>
  t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)
export const rowOf = async (id: number) => (await t.app.db.select().from(websites).where(eq(websites.id, id)))[0]!
export const namesOf = async (id: number) =>
  (await call('GET', `/${id}/names`)).body.items.map((n: { name: string; kind: string; mode: string | null }) => [
    n.name,
    n.kind,
    n.mode,
  ])
export const rollback = async (workflowId: number) => {
  const failed = (await stepsOf(workflowId)).find(({ status }) => status === 'failed')!
  const path = `/api/workflows/${workflowId}/actions/${failed.id}`
  expect((await t.call('PATCH', path, { token: admin, body: { actionType: 'rollback' } })).status).toBe(200)
  await carryOut()
}
