import { eq } from 'drizzle-orm'
import { actions } from '../../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { answerReads, carryOutAll, enrolled, hearAlways } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'

export let t: TestApp
let admin: string
export let server: number

/** Opens an app with an enrolled server whose agent runs actions at once. For `beforeAll`. */
export async function openStagings(): Promise<void> {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-copies', { provisionedAt: new Date().toISOString() })
  await hearAlways(t.app.db)
}

export const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api${path}`, { token, body })

export const copied = {
  at: '2026-11-21T10:00:00.000Z',
  files: 12,
  bytes: 3400,
  leftOut: 1,
  left: [{ path: 'link', why: 'leads out of the website, to /etc' }],
}
export const adapted = { changed: [{ file: 'wp-config.php', application: 'WordPress', was: 'shop' }], proposals: [] }
export const posts = { name: 'posts', rows: 3, sum: '77' }
export const answers: Record<string, unknown> = {
  'document-root.copy': copied,
  'site-config.adapt': adapted,
  'database.inspect': { there: true, tables: [posts] },
  'database.marks': { marks: { at: 1, shape: null, tables: { posts: { number: 1, sum: '77' } } } },
}
/** Runs all ready actions; the action named `failing` fails. */
export const carryOut = (failing?: string) =>
  carryOutAll(t.app.db, server, ({ name, task }) =>
    name === failing && task === 'run' ? { status: 'failed', reason: 'no' } : { output: answers[name] },
  )
/** A live website with a database. */
export async function live(domain: string): Promise<number> {
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const requested = { originServer: server, domain, plan: 'Business', userId: kari!.id, database: true }
  const { body } = await call('POST', '/websites', requested)
  await carryOut()
  return body.data.id
}
export async function copyOf(id: number): Promise<number> {
  const { body } = await call('POST', `/websites/${id}/staging`, { websiteId: id })
  await carryOut()
  return body.data.id
}
export const planOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, status, input }) => ({ name, status, input: input as Record<string, unknown> }),
  )
export const stagingsOf = async (id: number) => (await call('GET', `/websites/${id}/stagings`)).body

export const calmDigest = 'c'.repeat(64)
/** Answers of a server on which nothing has changed. */
export const calm: Record<string, unknown> = {
  'document-root.changes': {
    ...{ known: true, at: copied.at, added: 0, changed: 0, gone: 0, items: [], digest: calmDigest, unknown: [] },
    differences: { added: 0, changed: 0, gone: 0, files: [] },
  },
  'database.inspect': { there: true, tables: [posts] },
}
export const looking = (path: string, body?: unknown, looks: Record<string, unknown> = {}) =>
  answerReads(
    t.app.db,
    server,
    ({ name }) => looks[name] ?? calm[name],
    call(body === undefined ? 'GET' : 'POST', path, body),
  )
export const merge = (body: unknown, looks?: Record<string, unknown>) => looking('/stagings', body, looks)
