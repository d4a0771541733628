import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { claim, finish } from '../../../kit/work/claim.ts'
import { sitesOf } from '../../../net/vhosts/test/sites.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { enrolled, hearAlways } from '../../../test/work.ts'

let t: TestApp
let web: number
let other: number
let keeper: number
let s: ReturnType<typeof sitesOf>
let backupServer: number
let n = 0
const keep = { last: 2, hourly: 0, daily: 3, weekly: 0, monthly: 0, yearly: 0 }
const certificate = `-----BEGIN CERTIFICATE-----\n${'MIIB'.repeat(12)}\n-----END CERTIFICATE-----\n`
const outputs: Record<string, unknown> = {
  'backup-program.ensure': { restic: '0.18.0', server: '0.13.0' },
  'backup-server.ensure': { certificate, fingerprint: 'ab'.repeat(32) },
}
let sent: { name: string; server: number | null; input: Record<string, unknown> }[] = []

beforeAll(async () => {
  t = await openTestApp()
  const { token } = await t.somebody('admin', 'restorer')
  const provisionedAt = new Date().toISOString()
  web = await enrolled(t.app.db, 'web-1', { provisionedAt, address: '10.77.1.11' })
  other = await enrolled(t.app.db, 'web-2', { provisionedAt, address: '10.77.1.13' })
  keeper = await enrolled(t.app.db, 'backup-1', { address: '10.77.1.12', type: 'backup' })
  await hearAlways(t.app.db)
  s = sitesOf(t, token, () => [web, other])
  const made = await s.call('POST', '/backups/servers', { serverId: keeper, keep })
  backupServer = made.body.data.id
  await work()
})
afterAll(() => t.close())

/** Runs all ready actions, and records the operations sent to each server. */
async function work(fails?: string): Promise<void> {
  for (let turn = 0; turn < 120; turn++) {
    const [next] = await rows<{ server: number | null; lane: 'short' | 'long' }>(
      t.app.db,
      sql`select server_id as server, lane from actions where status = 'ready' order by action_id limit 1`,
    )
    const [op] = next ? await claim(t.app.db, next.server, next.lane, 1) : []
    if (!next || !op) return
    sent.push({ name: op.name, server: next.server, input: op.input })
    const snapshot = (++n).toString(16).padStart(64, '0')
    const tables = op.name === 'backup-database.run' ? { tables: ['orders', 'people'] } : {}
    const part = { snapshot, bytes: 2000, added: 700, files: 9, problem: null, ...tables }
    const output = op.name.endsWith('.run') ? part : (outputs[op.name] ?? {})
    const failed = op.name === fails && op.task === 'run'
    const answer = failed
      ? { status: 'failed' as const, reason: 'the disk is full' }
      : { status: 'done' as const, output }
    await finish(t.app.db, next.server, [{ id: op.id, attempt: op.attempt, ...answer }])
  }
}
async function makeDatabase(websiteId: number, name: string): Promise<void> {
  expect((await s.call('POST', '/database/databases', { websiteId, name })).status).toBe(201)
  await work()
}
async function backed(domain: string, ...databases: string[]) {
  const id = await s.site(domain, web)
  for (const name of databases) await makeDatabase(id, name)
  const { body } = await s.call('POST', '/backups/backups', { websiteId: id, backupServerId: backupServer })
  await work()
  return { id, backup: (await s.call('GET', `/backups/backups/${body.data.id}`)).body }
}
const idOf = async (name: string) => (await s.call('GET', `/database/databases?search=${name}`)).body.items[0].id
const restore = async (body: object, fails?: string) => {
  sent = []
  const answer = await s.call('POST', '/backups/restores', body)
  await work(fails)
  return answer
}
/** A website that receives a restore, with its owner as the confirmation. */
const onto = async (websiteId: number) => ({
  websiteId,
  userId: (await s.call('GET', `/websites/${websiteId}`)).body.ownerId as number,
})
const inputs = (name: string) => sent.filter((one) => one.name === name).map(({ input }) => input)

describe('a restore', () => {
  it('names the servers for which it would wait before anybody starts it', async () => {
    const { backup } = await backed('waiting.example')
    const warnings = async () => (await s.call('GET', `/backups/backups/${backup.id}/restore`)).body.warnings.join()
    const { db } = t.app
    await db.execute(sql`update server_states set last_seen_at = now() - interval '1 day' where server_id = ${web}`)
    await db.execute(sql`update backup_servers set status = 'failed'`)
    expect(await warnings()).toMatch(/The restore waits for .*its agent is not heard of since/)
    expect(await warnings()).toContain('the backup server is not prepared')
    await db.execute(sql`update backup_servers set status = 'ready'`)
    await hearAlways(db)
    expect(await warnings()).not.toContain('waits')
  })
})

describe('a restore onto another website', () => {
  it('uses the folder, account, databases and address of that website, and leaves out databases that it lacks', async () => {
    const from = await backed('from.example', 'from_one', 'from_two')
    const to = await s.site('to.example', other)
    await makeDatabase(to, 'to_one')
    const preview = (await s.call('GET', `/backups/backups/${from.backup.id}/restore?websiteId=${to}`)).body
    expect(preview).toMatchObject({
      website: 'to.example',
      folder: expect.stringContaining('/to.example'),
      databases: [
        { name: 'from_one', into: { name: 'to_one' } },
        { name: 'from_two', into: null },
      ],
    })
    expect(preview.warnings.join()).toMatch(/no database for from_two.*no good backup/)
    expect(preview.warnings.join()).not.toContain('waits')
    const { status, body } = await restore({ backupId: from.backup.id, ...(await onto(to)) })
    expect(status).toBe(202)
    expect(inputs('restore-files.prepare')).toMatchObject([{ path: preview.folder, foreign: true }])
    expect(inputs('restore-dump.fetch')).toMatchObject([{ name: 'from_one' }])
    expect(inputs('database.load')).toMatchObject([{ name: 'to_one' }])
    const [adapted] = inputs('site-config.adapt')
    expect(adapted).toMatchObject({ path: preview.folder, names: { from: 'from.example', to: 'to.example' } })
    expect(adapted?.databases).toMatchObject([{ was: 'from_one', name: 'to_one' }])
    expect(adapted?.from).toMatchObject({ path: expect.stringMatching(/^\/home\/.*from\.example$/) })
    expect(new Set(sent.filter(({ server }) => server).map(({ server }) => server))).toEqual(new Set([other]))
    expect((await s.call('GET', `/backups/tasks/restores/${body.data.id}`)).body).toMatchObject({
      ...{ result: 'partial', domain: 'to.example', fromDomain: 'from.example', fromWebsiteId: from.id },
    })
  })

  it('loads into the chosen database; refuses a foreign database, two into one, and the configuration alone', async () => {
    const from = await backed('chosen.example', 'chosen_one')
    const to = await s.site('second.example', web)
    for (const name of ['second_a', 'second_b']) await makeDatabase(to, name)
    const database = from.backup.parts.find(({ name }: { name: string }) => name === 'chosen_one').resourceId
    const common = { backupId: from.backup.id, ...(await onto(to)) }
    const into = async (...targets: number[]) => ({ ...common, into: targets.map((target) => ({ database, target })) })
    const strange = await restore(await into(database))
    expect(strange).toMatchObject({ status: 422, body: { fields: { into: expect.any(String) } } })
    const b = await idOf('second_b')
    expect((await restore(await into(b, b))).body.fields).toHaveProperty('into')
    expect((await restore({ ...common, scope: 'config only' })).body.fields).toHaveProperty('scope')
    expect((await restore(await into(b))).status).toBe(202)
    expect(inputs('database.load')).toMatchObject([{ name: 'second_b' }])
  })

  it('passes content to another owner only when the call names that owner', async () => {
    const from = await backed('owner-a.example')
    const target = await onto(await s.site('owner-b.example', web))
    const { websiteId, userId } = target
    const wanted = { backupId: from.backup.id, websiteId }
    const preview = (await s.call('GET', `/backups/backups/${from.backup.id}/restore?websiteId=${websiteId}`)).body
    expect(preview).toMatchObject({ otherOwner: { id: userId, name: 'Kari' } })
    const strange = (await onto(from.id)).userId
    for (const more of [{}, { userId: strange }, { paths: ['index.php'] }, { settings: ['crontab'], paths: [] }])
      expect(await restore({ ...wanted, ...more })).toMatchObject({
        status: 422,
        body: { fields: { userId: expect.any(String) } },
      })
    expect(await restore({ backupId: from.backup.id, userId })).toMatchObject({ status: 422 })
    await t.app.db.execute(sql`update websites set owner_id = ${strange} where website_id = ${websiteId}`)
    expect((await restore({ ...wanted, userId })).status).toBe(422) // transferred since somebody looked
    expect((await restore(wanted)).status).toBe(202) // both have one owner now
  })

  it('is refused over the disk of the plan, and so is a new website in an account without room; in place it is a repair', async () => {
    const from = await backed('disk-a.example')
    const to = await onto(await s.site('disk-b.example', web))
    const use = (websiteId: number, mb: number) =>
      t.app.db.execute(sql`update system_users set disk_used_mb = ${mb}
        where system_user_id = (select system_user_id from websites where website_id = ${websiteId})`)
    await use(to.websiteId, 9_000_000)
    const wanted = { backupId: from.backup.id, ...to }
    const says = expect.stringMatching(/uses 9000000 MB of disk, 1 MB come, and the plan /)
    expect(await restore(wanted)).toMatchObject({ status: 422, body: { fields: { websiteId: says } } })
    expect((await s.call('GET', `/backups/backups/${from.backup.id}/restore?websiteId=${to.websiteId}`)).status).toBe(
      422,
    )
    await t.app.db.execute(sql`update backups set parts = jsonb_set(parts, '{0,bytes}', '9000000000000')
      where backup_id = ${from.backup.id}`)
    const fresh = { backupId: from.backup.id, domain: 'disk-new.example', originServer: web }
    expect(await restore(fresh)).toMatchObject({
      status: 422,
      body: { fields: { domain: expect.stringMatching(/MB come/) } },
    })
    expect((await rows(t.app.db, sql`select from websites where domain = 'disk-new.example'`)).length).toBe(0)
    await use(to.websiteId, 1)
    await t.app.db.execute(sql`update backups set parts = jsonb_set(parts, '{0,bytes}', '2000')
      where backup_id = ${from.backup.id}`)
    expect((await restore(wanted)).status).toBe(202)
    await use(from.id, 9_000_000)
    expect((await restore({ backupId: from.backup.id })).status).toBe(202)
  })

  it('reopens that website when the restore fails while the website is closed', async () => {
    const from = await backed('fails.example')
    const to = await s.site('third.example', web)
    const { body } = await restore({ backupId: from.backup.id, ...(await onto(to)) }, 'restore-files.swap')
    expect((await s.call('GET', `/backups/tasks/restores/${body.data.id}`)).body.result).toBe('failed')
    expect((await s.call('GET', `/websites/${to}`)).body.status).toBe('active')
  })
})

describe('a restore of settings', () => {
  it('is offered for a backup that contains settings only', async () => {
    const { backup } = await backed('settings-alone.example')
    await t.app.db.execute(
      sql`update backups set parts = jsonb_path_query_array(parts, '$[*] ? (@.resource == "settings")')
        where backup_id = ${backup.id}`,
    )
    const preview = (await s.call('GET', `/backups/backups/${backup.id}/restore`)).body
    expect(preview).toMatchObject({ files: null, settings: [{ kind: 'crontab', closed: null }] })
    expect((await restore({ backupId: backup.id })).body.fields).toHaveProperty('paths')
    expect((await restore({ backupId: backup.id, scope: 'server only', settings: ['crontab'] })).status).toBe(202)
  })

  it('names the settings that cannot be restored because the backup does not describe them', async () => {
    const { id, backup } = await backed('undescribed.example')
    const holds = [
      { kind: 'dns-record', text: 'zone undescribed.example with 3 records' },
      { kind: 'certificate', text: 'certificate for undescribed.example' },
    ]
    const part = { resource: 'settings', resourceId: id, name: 'undescribed.example', snapshot: 'a'.repeat(64), holds }
    const parts = JSON.stringify([{ ...part, bytes: 0, added: 0, files: 1, problem: null }])
    await t.app.db.execute(sql`update backups set parts = ${parts}::jsonb || parts where backup_id = ${backup.id}`)
    const preview = await s.call('GET', `/backups/backups/${backup.id}/restore`)
    expect(preview.status, JSON.stringify(preview.body)).toBe(200)
    expect(preview.body.settings).toMatchObject(
      holds.map((one) => ({ ...one, closed: expect.stringContaining('does not say') })),
    )
    const refused = await restore({ backupId: backup.id, settings: ['dns-record'] })
    expect(refused).toMatchObject({
      status: 422,
      body: { fields: { settings: expect.stringContaining('does not say') } },
    })
  })
})

describe('FTP users of a backup', () => {
  const add = async (websiteId: number, name: string) => {
    const { body } = await s.call('POST', '/ftp/ftp-users', { websiteId, name, folder: 'public', quotaMb: 70 })
    await work()
    return body.data as { id: number; username: string; account: string }
  }
  const usersOf = async (id: number) =>
    (await s.call('GET', `/ftp/ftp-users?websiteIds=${id}`)).body.items as { id: number; username: string }[]
  const backedFtp = async (domain: string, ...names: string[]) => {
    const id = await s.site(domain, web)
    const users = []
    for (const name of names) users.push(await add(id, name))
    const { body } = await s.call('POST', '/backups/backups', { websiteId: id, backupServerId: backupServer })
    await work()
    return { id, users, backup: (await s.call('GET', `/backups/backups/${body.data.id}`)).body }
  }
  const only = (backup: { id: number }) => ({ backupId: backup.id, scope: 'server only', settings: ['ftp-user'] })
  const previewed = async (backup: { id: number }) =>
    (await s.call('GET', `/backups/backups/${backup.id}/restore`)).body.settings.find(
      ({ kind }: { kind: string }) => kind === 'ftp-user',
    )

  it('that were deleted since come back, and the others stay as they are', async () => {
    const { id, users, backup } = await backedFtp('logins.example', 'kari', 'lars')
    const [kari, lars] = users
    expect(await previewed(backup)).toMatchObject({ closed: expect.stringContaining('has them all') })
    expect(await restore({ ...only(backup), paths: [] })).toMatchObject({ status: 422 })
    await s.call('DELETE', `/ftp/ftp-users/${kari!.id}`, {})
    await work()
    await s.call('PATCH', `/ftp/ftp-users/${lars!.id}`, { name: 'renamed' })
    await work()
    const renamed = `${lars!.account}_renamed`
    expect(await previewed(backup)).toMatchObject({
      ...{ closed: null, text: `${kari!.username}, ${lars!.username}` },
      now: `${renamed}, unchanged by the restore; added with the passwords of the backup: ${kari!.username}`,
    })
    expect((await restore({ ...only(backup), paths: [], databases: [] })).status).toBe(202)
    expect(inputs('ftp-user.ensure')).toMatchObject([{ name: kari!.username, quotaMb: 70, state: 'active' }])
    expect(await usersOf(id)).toMatchObject([
      { username: kari!.username, state: 'ready', quotaMb: 70 },
      { username: renamed, id: lars!.id },
    ])
  })

  it('get names of the account of a new website; another owner gets none', async () => {
    const { id, users, backup } = await backedFtp('sign.example', 'kari')
    await s.call('DELETE', `/websites/${id}`, {})
    await work()
    const wanted = { backupId: backup.id, originServer: other, settings: ['ftp-user'] }
    const made = await restore({ ...wanted, domain: 'signs.example' })
    expect(made.status, JSON.stringify(made.body)).toBe(202)
    const [user] = await usersOf(made.body.data.websiteId)
    expect(user).toMatchObject({ state: 'ready', username: expect.stringMatching(/_kari$/), serverName: 'web-2' })
    expect(user!.username).not.toBe(users[0]!.username)
    const strange = (await onto(await s.site('strange.example', web))).userId
    expect(await restore({ ...wanted, domain: 'strangers.example', userId: strange })).toMatchObject({
      status: 422,
      body: { fields: { settings: expect.stringContaining('another owner') } },
    })
  })

  it('are gone again after a rollback, and nobody gets the name of somebody else', async () => {
    const { id, users, backup } = await backedFtp('rolls.example', 'kari')
    const [kari] = users
    await s.call('DELETE', `/ftp/ftp-users/${kari!.id}`, {})
    await work()
    const wanted = { ...only(backup), paths: [], databases: [] }
    const { body } = await restore(wanted, 'ftp-user.ensure')
    const [failed] = await rows<{ id: number }>(
      t.app.db,
      sql`select action_id as id from actions where workflow_id = ${body.workflowId} and status = 'failed'`,
    )
    const path = `/workflows/${body.workflowId}/actions/${failed!.id}`
    expect(await usersOf(id)).toMatchObject([{ state: 'failed' }])
    expect((await s.call('PATCH', path, { actionType: 'rollback', reason: 'no' })).status).toBeLessThan(300)
    await work()
    expect(await usersOf(id)).toEqual([])
    // a website of the same account has taken the name
    const second = await s.site('rolls2.example', web)
    await t.app.db.execute(sql`insert into ftp_users (username, website_id, server_id, folder, secret, state)
      values (${kari!.username}, ${second}, ${web}, '', 'none', 'ready')`)
    expect(await previewed(backup)).toMatchObject({ closed: expect.stringContaining('is an FTP user of website') })
    expect(await restore(wanted)).toMatchObject({ status: 422, body: { fields: { settings: expect.any(String) } } })
  })
})

describe('a restore of single tables', () => {
  it('fetches, keeps and loads only these tables', async () => {
    const { id, backup } = await backed('tables.example', 'tables_one')
    const database = (await s.call('GET', `/backups/backups/${backup.id}/database`)).body
    expect(database.parts[0].tables).toEqual(['orders', 'people'])
    expect(backup.parts[0]).not.toHaveProperty('tables')
    const one = database.databases[0].databaseId
    const body = { backupId: backup.id, paths: [], databases: [one], scope: 'server only' }
    const of = (...tables: string[]) => restore({ ...body, tables: [{ database: one, tables }] })
    expect((await of('nothing')).body.fields).toHaveProperty('tables')
    expect((await of("x';drop")).status).toBe(400)
    expect((await of('orders')).status).toBe(202)
    expect(inputs('restore-dump.fetch')).toMatchObject([{ tables: ['orders'] }])
    expect(inputs('database.load')).toMatchObject([{ name: 'tables_one', tables: ['orders'] }])
    expect(inputs('restore-files.prepare')).toEqual([])
    expect((await s.call('GET', `/websites/${id}`)).body.status).toBe('active')
  })
})

describe('a restore as a new website', () => {
  it('creates the website on another server with its own databases, even when the first website is deleted', async () => {
    const from = await backed('lost.example', 'lost_one', 'lost_two')
    const watched = { path: '/status', word: 'well' }
    await s.call('PATCH', `/websites/${from.id}/monitor`, watched)
    await s.call('DELETE', `/websites/${from.id}`, {})
    await work()
    const { status, body } = await restore({ backupId: from.backup.id, domain: 'found.example', originServer: other })
    expect(status, JSON.stringify(body)).toBe(202)
    const website = (await s.call('GET', `/websites/${body.data.websiteId}`)).body
    expect(website).toMatchObject({ domain: 'found.example', serverId: other, status: 'active' })
    expect((await s.call('GET', `/websites/${website.id}/monitor`)).body).toMatchObject(watched)
    const { items } = (await s.call('GET', `/database/websites/${website.id}`)).body
    expect(items).toHaveLength(2)
    expect(inputs('database.load').map(({ name }) => name)).toEqual(items.map(({ name }: { name: string }) => name))
    expect(inputs('site-config.adapt')[0]?.databases).toMatchObject([{ was: 'lost_one' }, { was: 'lost_two' }])
    expect(new Set(sent.filter(({ server }) => server).map(({ server }) => server))).toEqual(new Set([other]))
    expect((await s.call('GET', `/backups/tasks/restores/${body.data.id}`)).body.result).toBe('success')
    expect(inputs('database.own-names')).toMatchObject([
      { from: 'lost.example', to: 'found.example' },
      { from: 'lost.example', to: 'found.example' },
    ])
    const [tasks] = (await s.call('GET', `/backups/tasks?websiteId=${website.id}`)).body
    expect(tasks).toMatchObject([{ type: 'restore', status: 'done' }])
  })

  it('refuses a taken name, chosen files and a person who may not create websites', async () => {
    const { backup } = await backed('keeps.example')
    const wanted = { backupId: backup.id, domain: 'keeps.example', originServer: other }
    expect((await restore(wanted)).body.fields).toHaveProperty('domain')
    const free = { ...wanted, domain: 'free.example' }
    expect((await restore({ ...free, paths: ['public'] })).body.fields).toHaveProperty('paths')
    expect((await restore({ ...free, originServer: undefined })).body.fields).toHaveProperty('originServer')
    const { token } = await t.somebody(['backup:restore:create'], 'restores-alone')
    const denied = await t.call('POST', '/api/backups/restores', { body: free, token })
    expect(denied.status).toBe(403)
  })
})

describe('a server that stores backups', () => {
  it('can neither change its type nor be removed', async () => {
    const changed = await s.call('PATCH', `/cloud-management/servers/${keeper}`, { type: 'web' })
    expect(changed).toMatchObject({
      status: 422,
      body: { fields: { type: expect.stringMatching(/backup repositor/) } },
    })
    expect((await s.call('PATCH', `/cloud-management/servers/${keeper}`, { type: 'backup' })).status).toBe(200)
    expect((await s.call('DELETE', `/cloud-management/servers/${keeper}`, {})).status).toBe(409)
  })
})
