import type { Op } from '@innkeeper/contract/agent/door'
import { eq } from 'drizzle-orm'
import { letPass } from '../../../../bin/pass.ts'
import { rootOf } from '../../../kit/db/failures.ts'
import { ownWork } from '../../../kit/work/action.ts'
import { finish } from '../../../kit/work/claim.ts'
import { openQueue } from '../../../kit/work/queue.ts'
import { recordHeartbeat } from '../../../machines/servers/agents/heartbeat.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { enrolled, hearAlways, heartbeat } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'
import { plans } from '../../plans/tables.ts'

export let t: TestApp
let admin: string
export let oslo: number
export let bergen: number
export let owner: number
let stop: () => Promise<void>
/** Outputs of agents by the name of the action; a string fails the action. */
let answers: Record<string, unknown> = {}
export const answer = (some: Record<string, unknown>): void => {
  answers = some
}
export const room = {
  free: 50e9,
  freeInodes: 1e6,
  modules: ['mysqli'],
  folders: [{ path: '/home/x', bytes: 5e6, files: 20 }],
}
const usual = {
  'transfer.open': { port: 40_123 },
  'transfer.pull': { files: 3, bytes: 100, copied: 3, copiedBytes: 100 },
  'transfer.compare': { files: 3, bytes: 100, copied: 0, copiedBytes: 0, since: 1, here: 2 },
  'transfer.verify': { files: 3, bytes: 100, differences: 0 },
  'migration.look': room,
  'website-logs.pack': { files: 1, sha256: 'a'.repeat(64) },
  'database.marks': { marks: { at: 1, shape: 'd'.repeat(64), tables: { posts: { number: 1, sum: '7' } } } },
  'database.dump': { sha256: 'c'.repeat(64), definers: [], rows: { posts: 2 }, whole: false },
  'database.load': { rows: { posts: 2 } },
  'crontab.rest': { jobs: 1, sha256: 'b'.repeat(64) },
  'crontab.take': { jobs: 1, runs: 1 },
}
/** The input of each operation as the agent received it. */
export const asked: { server: number; name: string; task: string; input: Record<string, unknown> }[] = []

/** Opens an app with an owner and two web servers, nginx and Apache, whose agents run actions at once. For `beforeAll`. */
export async function openMoves(): Promise<void> {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  oslo = await server('oslo-1', '10.0.0.1')
  bergen = await server('bergen-1', '10.0.0.2')
  await t.app.db.update(servers).set({ webServer: 'apache' }).where(eq(servers.id, bergen))
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  owner = kari!.id
  await t.app.db.update(plans).set({ websites: 50 })
  stop = await agents([oslo, bergen])
}
/** Stops the agents and the app. For `afterAll`. */
export async function closeMoves(): Promise<void> {
  await stop()
  await t.close()
}

async function server(name: string, address: string): Promise<number> {
  const id = await enrolled(t.app.db, name, { provisionedAt: new Date().toISOString() })
  await t.app.db.update(servers).set({ address }).where(eq(servers.id, id))
  const services = ['8.2', '8.4'].map((v) => ({
    name: 'php-fpm',
    version: v,
    state: 'active' as const,
    detail: `PHP ${v}`,
  }))
  await recordHeartbeat(t.app.db, id, { ...heartbeat, services }, '')
  await hearAlways(t.app.db)
  return id
}

/** Runs actions of these agents at once by `answers`, and Innkeeper's own actions for real, except probes of websites. */
async function agents(ids: number[]): Promise<() => Promise<void>> {
  const queue = await openQueue(t.app, 1000)
  let over = false
  const carryOut = async (id: number | null, op: Op) => {
    if (id !== null) asked.push({ server: id, name: op.name, task: op.task, input: op.input })
    const { id: action, attempt } = op
    const told = await (id === null ? ours(op) : theirs(op)).then(
      (output) => ({ status: 'done' as const, output }),
      (error: unknown) => ({ status: 'failed' as const, reason: rootOf(error) }),
    )
    await finish(t.app.db, id, [{ id: action, attempt, ...told }])
  }
  const serve = async (id: number | null, lane: 'short' | 'long' | 'read') => {
    const looks: Promise<void>[] = []
    while (!over)
      // reads run in parallel
      for (const op of (await queue.next(id, lane, 8, 20_000)).ops)
        if (lane === 'read') looks.push(carryOut(id, op))
        else await carryOut(id, op)
    await Promise.all(looks)
  }
  const loops = [...ids, null].flatMap((id) => (['short', 'long', 'read'] as const).map((lane) => serve(id, lane)))
  return async () => {
    over = true
    queue.close()
    await Promise.all(loops)
  }
}
async function theirs({ name, task, input }: Op): Promise<unknown> {
  const answered = task === 'undo' ? {} : ({ ...usual, ...answers }[name] ?? {})
  const output = typeof answered === 'function' ? answered(input) : await answered
  if (typeof output === 'string') throw new Error(output)
  return output
}
async function ours({ name, task, input }: Op): Promise<unknown> {
  if (name === 'website.probe') return { status: 200, ms: 5 }
  const { signal } = new AbortController()
  return ownWork(name)?.[task]?.(input, { app: t.app, task, signal, say: () => {}, fence: () => {} })
}

export const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, ...(body !== undefined && { body }) })
export async function site(domain: string, userId = owner, more: object = {}): Promise<number> {
  const { body } = await call('POST', '/websites', {
    originServer: oslo,
    domain,
    plan: 'Business',
    userId,
    excludeActions: ['website.probe'],
    ...more,
  })
  await until(async () => (await call('GET', `/websites/${body.data.id}`)).body.status === 'active')
  return body.data.id
}
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 240_000; !(await isSo()); await letPass(20, 'between two looks'))
    if (Date.now() > end) throw new Error('the condition was not met in 150 s')
}
export const read = async (id: number) => (await call('GET', `/websites/migrations/${id}`)).body
export async function comesTo(id: number, status: string) {
  await until(async () => (await read(id)).status === status).catch(async () => {
    const { status: is, reason } = await read(id)
    throw new Error(`the move is ${is} (${reason}), not ${status}`)
  })
  return read(id)
}
export const move = async (id: number, more: object = {}) => {
  const { status, body } = await call('POST', `/websites/${id}/migrate`, { targetServerId: bergen, ...more })
  return { status, body, id: body.id as number }
}
export const website = async (id: number) => (await call('GET', `/websites/${id}`)).body
export const update = (id: number, want: string) => call('PATCH', `/websites/migrations/${id}`, { want })
