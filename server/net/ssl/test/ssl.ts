import { eq } from 'drizzle-orm'
import { afterAll, beforeAll } from 'vitest'
import { owners } from '../../../hosting/owners/tables.ts'
import { actions } from '../../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { enrolled, hearAlways } from '../../../test/work.ts'
import { type Hand, handOf } from './carry.ts'
import { chainFor } from './chain.ts'

export let t: TestApp
let admin: string
export let server: number
export let edge: number
export let hand: Hand
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  const provisionedAt = new Date().toISOString()
  server = await enrolled(t.app.db, 'web-certs', { provisionedAt, address: '10.77.1.41' })
  edge = await enrolled(t.app.db, 'cdn-certs', { provisionedAt, address: '10.77.1.42', type: 'cdn' })
  await hearAlways(t.app.db)
  hand = handOf(t.app, () => [server, edge])
})
afterAll(() => t.close())

export const carryOut = (workflowId: number) => hand.carryOut(workflowId)
export const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api${path}`, { token, body })
export const base = '/ssl-controller/certificate'

export async function site(domain: string): Promise<number> {
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const wanted = { originServer: server, domain, plan: 'Business', userId: kari?.id, excludeActions: ['website.probe'] }
  const { body } = await call('POST', '/websites', wanted)
  await carryOut(body.workflowId)
  return body.data.id
}
export async function custom(websiteId: number, names: string[], more: Record<string, unknown> = {}) {
  const { root, middle, leaf } = await chainFor(names)
  const answer = await call('POST', `${base}/custom`, {
    websiteId,
    certificate: leaf.pem,
    key: leaf.key,
    ca: middle.pem + root.pem,
    ...more,
  })
  return { ...answer, leaf, ca: middle.pem + root.pem }
}
export const planOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name }) => name,
  )
export const httpsOf = async (id: number) => (await call('GET', `/ssl-controller/certificates/${id}`)).body.https
