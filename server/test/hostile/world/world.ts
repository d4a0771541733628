import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { signInLinks } from '../../../access/users/signIn/tables.ts'
import { owners } from '../../../hosting/owners/tables.ts'
import { patience } from '../../../kit/agents/liveRead.ts'
import { rows } from '../../../kit/db/db.ts'
import { claim, finish } from '../../../kit/work/claim.ts'
import { mailMoves } from '../../../net/mailboxes/tables.ts'
import { type Frozen, openTestApp, type TestApp } from '../../app.ts'
import { answerReads, enrolled, hearAlways } from '../../work.ts'
import { makeAdoptions, makePlaces } from './adoptions.ts'
import { inventory, makeArchiveImports, makeLateMail, makeNewPasswords } from './archives.ts'
import { makeBackups } from './backups.ts'
import { makeCertificates } from './certificates.ts'
import { makeConfigs } from './configs.ts'
import { makeDossiers } from './dossiers.ts'
import { makeElevations, makeReviews } from './elevations.ts'
import { makeEvents } from './events.ts'
import { putFiles } from './files.ts'
import { makeFtpUsers } from './ftp.ts'
import { makeLeaves } from './leaves.ts'
import { makeMail } from './mail.ts'
import { makeMessages } from './messages.ts'
import { makeMoves } from './moves.ts'
import { makePrograms } from './programs.ts'
import { makeQuality } from './quality.ts'
import type { Row } from './row.ts'
import { makeScrums } from './scrums.ts'
import { makeSets } from './sets.ts'
import { makeShifts } from './shifts.ts'
import { makeSignIn } from './signIn.ts'
import { makeTrackers } from './trackers.ts'
import { makeChange, makeVhosts } from './vhosts.ts'
import { makeZones } from './zones.ts'

export interface World extends TestApp {
  admin: string
  known: Known
}

/** Values of the world, from which valid requests are built. */
export interface Known {
  /** Texts and numbers that exist in the world, and some unused ones. */
  words: unknown[]
  /** Values of columns with the name of a field: `action` → the ids and names of actions. */
  near(columns: string[]): unknown[]
  /** Rows with most of these fields, each in one of its possible columns. */
  rowsWith(fields: string[][]): Row[]
}

const snake = (key: string) => key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
/** The columns for a field: `id` of `/websites/:id` is `website_id`, of `/system-users/:id` also `system_user_id`. */
export function columnsOf(key: string, path: string): string[] {
  const owner = key === 'id' ? /([\w-]+?)s?\/:id\b/.exec(path)?.[1]?.split('-') : undefined
  return owner
    ? [...new Set([`${owner.join('_')}_id`, `${owner.at(-1)}_id`])]
    : ['', 'name', '_id', '_name', '_type', 's.name'].map((end) => snake(key) + end)
}

interface Made {
  frozen: Frozen
  admin: string
  known: Known
}
let made: Promise<Made> | undefined

const usual = { ...patience }
/** One server of the world is online, and nobody plays its agent: a live read of it waits in vain. */
const hurried: typeof patience = { takenMs: 100, answerMs: 200, quickMs: 100, sayMs: 100 }

/** Opens a copy of the world. Test files that share a process create the world once. */
export async function openWorld(log?: Logger): Promise<World> {
  made ??= makeWorld()
  const { frozen, admin, known } = await made
  const app = await openTestApp(log, undefined, frozen)
  Object.assign(patience, hurried)
  const close = async () => {
    Object.assign(patience, usual)
    await app.close()
  }
  return { ...app, admin, known, close }
}

/** A small provider with a row in every state that calls distinguish. All ids are small, so that a guess finds one. */
async function makeWorld(): Promise<Made> {
  const t = await openTestApp()
  const { db } = t.app
  const { id: keeper, token: admin } = await t.somebody('admin', 'keeper')
  await db.insert(owners).values([
    { name: 'Kari', email: 'kari@example.org' },
    { name: 'Lars', email: 'lars@example.org' },
  ])
  const web = await enrolled(db, 'web-1', { provisionedAt: new Date().toISOString() })
  const other = await enrolled(db, 'web-2')
  await hearAlways(db)
  const call = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => {
    const answer = await t.call(method, `/api${path}`, { token: admin, body })
    if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await makeChange(t)
  await call('POST', '/auth/departments', { name: 'Empty' })
  await call('POST', '/auth/roles', { name: 'Free', scopes: [] })
  const { id: invited } = await t.somebody([], 'invited')
  // a one-use link with a known word
  const hash = createHash('sha256').update(INVITATION).digest('base64url')
  await db.insert(signInLinks).values({ userId: invited, hash, expiresAt: '2999-01-01T00:00:00Z' })
  await call('POST', '/views', { list: 'websites', name: 'Failing', filters: { status: ['failed'] } })
  await call('POST', '/cloud-management/servers', { name: 'empty-1', type: 'dns' })
  const sum = 'd'.repeat(64)
  const named = { effect: 'noted', topic: 'other database', what: 'old_shop', count: 1, line: 7 }
  const outputs: Record<string, unknown> = {
    'database.marks': { marks: { at: 1, shape: null, tables: {} } },
    'database.dump': { sha256: sum },
    'dump.send': { sha256: sum, size: 5 },
    'archive.look': inventory,
    'dump.look': { sha256: sum, compression: 'gzip', size: 9, bytes: 90, statements: 2, tables: 1, findings: [named] },
  }
  /** Runs all ready actions; the `stop`th one fails. */
  const work = async (stop?: number, on = web) => {
    for (let n = 1; ; n++) {
      const own = (await claim(db, null, 'short', 1)).map((op) => ({ op, server: null }))
      const theirs = async (lane: 'short' | 'long') => (await claim(db, on, lane, 1)).map((op) => ({ op, server: on }))
      const [next = (await theirs('short'))[0] ?? (await theirs('long'))[0]] = own
      if (!next) return
      const { id, attempt } = next.op
      const ended =
        n === stop
          ? ({ status: 'failed', reason: 'the disk is full' } as const)
          : { status: 'done' as const, ...(next.op.name in outputs && { output: outputs[next.op.name] }) }
      await finish(db, next.server, [{ id, attempt, ...ended }])
    }
  }
  const website = (domain: string) =>
    call('POST', '/websites', { originServer: web, domain, userId: 1, plan: 1 }) as Promise<{ data: { id: number } }>
  await call('PATCH', '/system-user/plans/1', { phpVersions: ['8.2', '8.4'], databases: 5 })
  const active = await website('active.example.org')
  await work()
  const shop = await call('POST', '/database/databases', { websiteId: active.data.id, name: 'shop' })
  await work()
  const attic = await call('POST', '/database/databases', { websiteId: active.data.id, name: 'attic' })
  await work()
  await call('DELETE', `/database/databases/${attic.data.id}`, { name: 'attic' })
  await work()
  for (const start of [true, false]) {
    const dump = await call('POST', `/database/databases/${shop.data.id}/imports`, { path: 'dump.sql' })
    await work()
    if (start) await call('POST', `/database/imports/${dump.data.id}/start`, { name: 'shop' })
    await work()
  }
  await call('POST', `/database/databases/${shop.data.id}/exports`, {})
  await work()
  const texts = { from: 'http://one.example', to: 'http://two.example' }
  await call('POST', `/database/websites/${active.data.id}/replacements`, texts)
  await work()
  const former = await call('POST', '/database/users', { websiteId: active.data.id, username: 'former' })
  await work()
  await call('DELETE', `/database/users/${former.data.id}`, {})
  await work()
  const copy = (await call('POST', `/websites/${active.data.id}/staging`, {})) as { data: { id: number } }
  await work()
  const untouched = {
    ...{ known: true, at: null, digest: 'd'.repeat(64), unknown: [] },
    differences: { added: 0, changed: 0, gone: 0, files: [] },
  }
  const looked = ({ name }: { name: string }) => (name === 'document-root.changes' ? untouched : { tables: [] })
  // the state of the live website at the time of the copy is unknown, so that a merge must confirm the present state
  const merge = { websiteId: copy.data.id }
  const unseen = t.call('POST', '/api/stagings', { token: admin, body: merge })
  const { current } = (await answerReads(db, web, looked, unseen)).body
  await answerReads(db, web, looked, call('POST', '/stagings', { ...merge, seen: current.digest }))
  await work()
  const { data } = await website('suspended.example.org')
  await work()
  await call('PATCH', `/websites/${data.id}`, { status: 'suspended' })
  await work()
  for (const [n, name] of ['failed', 'stopped', 'broken'].entries()) {
    await website(`${name}.example.org`)
    await work(n + 2)
  }
  await call('POST', '/system-user/system-users', { username: 'spare', originServer: web, ownerId: 2, planId: 1 })
  await work()
  const spare = await call('POST', '/system-user/system-users', {
    ...{ username: 'reached', originServer: web, ownerId: 2, planId: 1 },
  })
  await work()
  const sftp = `/system-user/system-users/${spare.data.id}/sftp`
  await call('PATCH', sftp, { on: true })
  await work()
  await call('POST', `${sftp}/keys`, { key: KEY })
  await work()
  await call('POST', `${sftp}/password`, {})
  await work()
  await makeFtpUsers(call, active.data.id, work)
  const grouped = await website('grouped.example.org')
  await work()
  await call('POST', '/groups', { ownerId: 1, mainWebsite: grouped.data.id })
  await makeNames(web, call, work)
  const trashed = await website('trashed.example.org')
  await work()
  await call('DELETE', `/websites/${trashed.data.id}`, {})
  await work()
  const cached = await website('cached.example.org')
  await work()
  await call('POST', '/redis-cache/enable', { website_id: cached.data.id })
  await work()
  const moving = await website('moving.example.org')
  await work()
  await makeMoves(t, call, web, moving.data, { id: cached.data.id, domain: 'cached.example.org' })
  await work()
  await makeArchiveImports(db, call, web, work)
  await makeAdoptions(db)
  await makePlaces(db, call, web, work)
  const mail = await enrolled(db, 'mail-1', { type: 'mail' })
  await hearAlways(db)
  const mail2 = await enrolled(db, 'mail-2', { type: 'mail' })
  const moved = await makeMail(call, mail, () => work(undefined, mail))
  await makeLateMail(db, call, web, work)
  await makeNewPasswords(t.app)
  await db.insert(mailMoves).values({ mailboxId: moved, sourceId: mail2, targetId: mail, state: 'passing' })
  const edged: number[] = []
  for (const name of ['edged', 'passed', 'twice']) {
    edged.push((await website(`${name}.example.org`)).data.id)
    await work()
  }
  await makeVhosts(t, call, edged)
  await website('waiting.example.org')
  await makeZones(t, call)
  await call('POST', '/dns/zones', { domain: 'post.example.org', active: false })
  const setBans = await makeSets(call)
  const files = await makeConfigs(t, web)
  await makeEvents(t, call)
  const upload = await makeCertificates(t, call, { id: grouped.data.id, domain: 'grouped.example.org' }, work)
  await makeBackups(t, call, web, active.data)
  await putFiles(t, admin)
  await makeLeaves(t, call)
  await makeShifts(t, call)
  await makeQuality(t, admin, call)
  await makeTrackers(t, admin, call)
  await makeScrums(db, call)
  await makeMessages(t, call)
  await makeDossiers(t, call)
  await makePrograms(db, keeper)
  await makeSignIn(t, call)
  await makeElevations(t)
  await makeReviews(t)
  // two PHP versions on the web servers; one server stays online during the tests, with an old agent
  const php = ['8.2', '8.4'].map((v) => ({ name: 'php-fpm', version: v, state: 'active', detail: `PHP ${v}` }))
  await db.execute(
    sql`update server_states set services = ${JSON.stringify(php)}::jsonb, last_seen_at = now() - interval '1 hour' where server_id in (${web}, ${mail})`,
  )
  await db.execute(
    sql`update server_states set last_seen_at = '2999-01-01', agent_version = '0.0.9' where server_id = ${other}`,
  )
  const { body } = await t.call('GET', '/api/website-orchestrator/errors', { token: admin })
  // the failed action and a way to continue, under the parameter names of the calls
  const [stopped] = await rows<Row>(
    db,
    sql`select w.subject_id as website_id, a.resource_type, a.resource_type as resource, a.name as action, 'retry' as action_type, a.reason
      from actions a join workflows w using (workflow_id)
      where w.subject_type = 'website' and a.status = 'failed' order by a.action_id desc limit 1`,
  )
  if (!stopped) throw new Error('No website’s workflow has stopped in this world')
  const known = await knownOf(t, [body.items[0].key], [upload, ...setBans, ...files, stopped])
  return { frozen: await t.freeze(), admin, known }
}

/** A website with an alias, a sub-website and a former name. */
async function makeNames(
  originServer: number,
  call: (method: 'POST' | 'PATCH', path: string, body: unknown) => Promise<{ data: { id: number } }>,
  work: () => Promise<void>,
): Promise<void> {
  const wish = { originServer, domain: 'named.example.org', userId: 1, plan: 'Business' }
  const { data } = await call('POST', '/websites', wish)
  await work()
  await call('POST', `/websites/${data.id}/alias`, { domain: 'alias.example.org' })
  await work()
  await call('POST', `/websites/${data.id}/subwebsite`, { domain: 'sub.named.example.org' })
  await work()
  await call('PATCH', `/websites/${data.id}/rename`, { newDomain: 'renamed.example.org' })
  await work()
}

const INVITATION = 'fresh-1'
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsABgH5C9okWi0dh2l9GKJl kari@laptop'
const FREE_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f lars@desk'

export const free = [
  FREE_KEY,
  ...['a'.repeat(64), '/home/lee/www'],
  ...['fresh-1', 'fresh_user', 'fresh.example.org', 'fresh@example.org', '10.77.9.9', '2001:db8::9', 'Fresh air'],
  ...[
    '8.2',
    'php8.1',
    'true',
    'false',
    '1',
    '2,3',
    '2026-11-21',
    '2026-11-21T10:00:00Z',
    '10:30',
    '#aabbcc',
    'https://example.org/',
    '/api/internal-file-manager/private/0',
  ],
  ...['keeper', 'password of keeper'],
]

/** Collects the known values from all tables; `wishes`: additional rows that are in no table. */
async function knownOf({ app: { db } }: TestApp, more: string[], wishes: Row[]): Promise<Known> {
  const tables = await rows<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  const found = new Set<string>()
  const columns = new Map<string, Set<unknown>>([['password', new Set(['password of keeper'])]])
  const gather = (column: string, value: unknown) => {
    const text = typeof value === 'string' && value.length > 0 && value.length <= 40
    if (text) found.add(value)
    if (text || typeof value === 'number')
      columns.set(column, (columns.get(column) ?? new Set()).add(value).add(String(value)))
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) gather('', inner)
  }
  const all: Row[] = [...wishes]
  for (const { name } of tables)
    for (const row of await rows<Row>(db, sql`select * from ${sql.identifier(name)} limit 60`)) {
      all.push({ ...row, [`${name}.name`]: row.name })
      for (const [column, value] of Object.entries(row)) gather(column === 'name' ? `${name}.name` : column, value)
    }
  const near = new Map<string, unknown[]>()
  const having = (row: Row, wanted: string[][]) =>
    wanted.filter((columns) => columns.some((column) => column in row)).length
  return {
    words: [...free, ...more, ...found],
    near(wanted) {
      const key = wanted.join()
      const values = near.get(key) ?? wanted.flatMap((column) => [...(columns.get(column) ?? [])])
      near.set(key, values)
      return values
    },
    rowsWith(wanted) {
      const best = Math.max(0, ...all.map((row) => having(row, wanted)))
      return best > 0 ? all.filter((row) => having(row, wanted) === best) : []
    },
  }
}
