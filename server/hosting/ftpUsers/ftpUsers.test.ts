import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crypt } from '../../kit/app/crypt.ts'
import { secrets } from '../../kit/app/tables.ts'
import { actions } from '../../kit/work/tables.ts'
import { banGuessers, TERMS_S } from '../../machines/ipsets/guessers/ban.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { answerReads, carryOutAll, enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'
import { ftpGuesses } from './guessers.ts'
import { ftpUsers } from './tables.ts'
import { endExpired, readActivity } from './watch.ts'

let t: TestApp
let admin: string
let server: number
let inputs: Record<string, unknown>[]
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-ftp', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, body })
/** Runs all ready actions and records the input of those on FTP users; the action named `failing` fails. */
const carryOut = (failing?: string) =>
  carryOutAll(t.app.db, server, ({ name, input }) => {
    if (name === 'ftp-user.ensure') inputs.push(input)
    return name === failing ? { status: 'failed', reason: 'no' } : {}
  })
beforeAll(() => {
  inputs = []
})
async function site(domain: string): Promise<number> {
  const [owner] = await t.app.db
    .insert(owners)
    .values({ name: 'Kari', email: `kari@${domain}` })
    .returning()
  const { body } = await call('POST', '/websites', {
    originServer: server,
    domain,
    plan: 'Business',
    userId: owner!.id,
  })
  await carryOut()
  return body.data.id
}
async function user(domain: string, more: object = {}) {
  const websiteId = await site(domain)
  const { body } = await call('POST', '/ftp/ftp-users', { websiteId, name: 'kari', ...more })
  await carryOut()
  return { websiteId, id: body.data.id as number, username: body.data.username as string }
}
const one = async (id: number) => (await call('GET', `/ftp/ftp-users/${id}`)).body
const stepsOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, input }) => `${name} ${input.state ?? ''}`.trim(),
  )
const last = () => inputs.at(-1)
/** True if the last operation has the hash of this password. */
async function carries(password: string): Promise<boolean> {
  const { hash } = last() as { hash: { $secret: string } } // the form of userStep
  const kept = (await t.app.secrets.read(t.app.db, hash.$secret)) ?? ''
  return kept === crypt(password, kept.split('$')[2])
}

it('A hash equals the hash of crypt(3)', () => {
  // openssl passwd -6 -salt saltstring 'Hello world!'
  expect(crypt('Hello world!', 'saltstring')).toBe(
    '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  )
})

describe('An FTP user', () => {
  it('installs the FTP service of its server, gets the account as prefix, and a password that is shown once', async () => {
    const websiteId = await site('first.example')
    const made = await call('POST', '/ftp/ftp-users', { websiteId, name: 'kari', quotaMb: 100 })
    expect(made).toMatchObject({ status: 201, body: { password: expect.stringMatching(/^[A-Za-z0-9]{24}$/) } })
    const { data, workflowId, password } = made.body
    expect(data).toMatchObject({ username: `${data.account}_kari`, folder: 'public', state: 'creating' })
    expect(data.homeDir).toBe(`/home/${data.account}/first.example/public`)
    expect(await stepsOf(workflowId)).toEqual([
      ...['ftp.ensure', 'packages.ensure', 'ftp.ensure', 'ftp-user.ensure active'],
    ])
    const queued = await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId))
    expect(JSON.stringify(queued)).not.toContain(password)
    await carryOut()
    expect(last()).toMatchObject({ quotaMb: 100, folder: 'public' })
    expect(await carries(password)).toBe(true)
    expect(await one(data.id)).toMatchObject({ state: 'ready', refused: null })
    const second = await call('POST', '/ftp/ftp-users', { websiteId, name: 'lars', folder: '' })
    expect(await stepsOf(second.body.workflowId)).toEqual(['ftp-user.ensure active'])
    await carryOut()
    expect((await call('GET', `/ftp/servers/${server}`)).body).toMatchObject({ installed: true, plain: false })
  })

  it('is refused beside the field', async () => {
    const { websiteId } = await user('refused.example')
    const ask = async (more: object) => {
      const { status, body } = await call('POST', '/ftp/ftp-users', { websiteId, name: 'other', ...more })
      return [status, Object.keys(body.fields ?? {})]
    }
    for (const folder of ['../other', 'public/../..', '/etc', 'a//b', 'a/', 'with space', 'x:y', '..'])
      expect(await ask({ folder })).toEqual([400, ['folder']])
    for (const name of ['UP', 'a:b', '-x', '', 'x'.repeat(40)]) expect(await ask({ name })).toEqual([400, ['name']])
    expect(await ask({ name: 'kari' })).toEqual([409, ['name']])
    expect(await ask({ expiresAt: '2020-01-01T00:00:00Z' })).toEqual([422, ['expiresAt']])
    expect(await ask({ password: 'short' })).toEqual([400, ['password']])
    expect(await ask({ password: 'passwordpassword' })).toEqual([422, ['password']])
    await call('PATCH', `/websites/${websiteId}`, { status: 'suspended' })
    await carryOut()
    expect(await ask({})).toEqual([422, ['websiteId']])
  })

  it('is changed, and keeps its values when the change is rolled back', async () => {
    const { id } = await user('changes.example')
    const { version } = await one(id)
    const change = await call('PATCH', `/ftp/ftp-users/${id}`, { folder: '', uploadKbps: 50, version })
    expect(change.status).toBe(202)
    expect((await call('PATCH', `/ftp/ftp-users/${id}`, { folder: 'x', version })).status).toBe(409)
    await carryOut()
    expect(last()).toMatchObject({ folder: '', uploadKbps: 50 })
    expect(await one(id)).toMatchObject({ folder: '', uploadKbps: 50, state: 'ready' })
    expect((await call('PATCH', `/ftp/ftp-users/${id}`, { folder: '' })).status).toBe(200)
    const { body } = await call('PATCH', `/ftp/ftp-users/${id}`, { folder: 'other', uploadKbps: null })
    await carryOut('ftp-user.ensure')
    expect(await one(id)).toMatchObject({ folder: '', state: 'failed' })
    const { body: workflow } = await call('GET', `/workflows/${body.workflowId}`)
    const stopped = workflow.actions.find((action: { status: string }) => action.status === 'failed')
    await call('PATCH', `/workflows/${body.workflowId}/actions/${stopped.id}`, { actionType: 'rollback' })
    await carryOut()
    expect(await one(id)).toMatchObject({ folder: '', uploadKbps: 50, state: 'ready' })
  })

  it('gets a new password; the hash of the former password is deleted', async () => {
    const { id } = await user('password.example')
    const { body } = await call('POST', `/ftp/ftp-users/${id}/password`, { password: 'correct horse battery' })
    expect(body.password).toBe(null)
    await carryOut()
    expect(await carries('correct horse battery')).toBe(true)
    const kept = await t.app.db.select({ name: secrets.name }).from(secrets)
    expect(kept.filter(({ name }) => name.startsWith(`ftp-user:${id}:`))).toHaveLength(1)
    await call('DELETE', `/ftp/ftp-users/${id}`, {})
    await carryOut()
    expect((await call('GET', `/ftp/ftp-users/${id}`)).status).toBe(404)
    const left = await t.app.db.select({ name: secrets.name }).from(secrets)
    expect(left.filter(({ name }) => name.startsWith(`ftp-user:${id}:`))).toEqual([])
  })

  it('is suspended and disabled without being deleted, and keeps its status when its website is activated again', async () => {
    const { id, websiteId } = await user('paused.example')
    await call('PATCH', `/ftp/ftp-users/${id}`, { status: 'disabled', reason: 'Not needed now' })
    await carryOut()
    expect([last()?.state, (await one(id)).refused]).toEqual(['disabled', 'The FTP user is disabled: Not needed now'])
    await call('PATCH', `/websites/${websiteId}`, { status: 'suspended' })
    await carryOut()
    expect([last()?.state, (await one(id)).refused]).toEqual(['suspended', 'The website paused.example is suspended'])
    await call('PATCH', `/websites/${websiteId}`, { status: 'active' })
    await carryOut()
    expect(last()?.state).toBe('disabled')
    await call('PATCH', `/ftp/ftp-users/${id}`, { status: 'active' })
    await carryOut()
    expect([last()?.state, (await one(id)).refused, (await one(id)).reason]).toEqual(['active', null, null])
  })

  it('is closed with its account, deleted and restored with its website', async () => {
    const { id, websiteId } = await user('follows.example')
    const { systemUserId } = await one(id)
    const paused = await call('PATCH', `/system-user/system-users/${systemUserId}`, {
      status: 'suspended',
      reason: 'Bill',
    })
    expect(await stepsOf(paused.body.workflowId)).toContain('ftp-user.ensure suspended')
    await carryOut()
    await call('PATCH', `/system-user/system-users/${systemUserId}`, { status: 'active' })
    await carryOut()
    expect(last()?.state).toBe('active')
    const { hash } = last() ?? {}
    const deleted = await call('DELETE', `/websites/${websiteId}`, {})
    expect(await stepsOf(deleted.body.workflowId)).toContain('ftp-user.remove')
    await carryOut()
    expect((await call('GET', `/ftp/ftp-users/${id}`)).status).toBe(404)
    // meanwhile somebody else has the name
    const second = await site('second.example')
    const username = sql`(select username from ftp_users where ftp_user_id = ${id})`
    await t.app.db.execute(sql`insert into ftp_users (username, website_id, server_id, folder, secret, state)
      select ${username}, ${second}, ${server}, '', 'none', 'ready'`)
    expect(await call('POST', `/websites/${websiteId}/restore`, {})).toMatchObject({
      ...{ status: 409, body: { fields: { domain: expect.stringContaining('is taken') } } },
    })
    await t.app.db.execute(sql`delete from ftp_users where website_id = ${second}`)
    await call('POST', `/websites/${websiteId}/restore`, {})
    await carryOut()
    expect([last()?.hash, (await one(id)).state]).toEqual([hash, 'ready'])
  })

  it('that could not be created is deleted by the rollback', async () => {
    const websiteId = await site('fails.example')
    const { body } = await call('POST', '/ftp/ftp-users', { websiteId, name: 'kari' })
    await carryOut('ftp-user.ensure')
    expect((await one(body.data.id)).state).toBe('failed')
    const { body: workflow } = await call('GET', `/workflows/${body.workflowId}`)
    const stopped = workflow.actions.find((action: { status: string }) => action.status === 'failed')
    await call('PATCH', `/workflows/${body.workflowId}/actions/${stopped.id}`, { actionType: 'rollback' })
    await carryOut()
    expect((await call('GET', `/ftp/ftp-users/${body.data.id}`)).status).toBe(404)
  })

  it('whose creation is skipped is failed, and a change creates it', async () => {
    const websiteId = await site('skipped.example')
    const { body } = await call('POST', '/ftp/ftp-users', { websiteId, name: 'kari' })
    await carryOut('ftp-user.ensure')
    const { actions: all } = (await call('GET', `/workflows/${body.workflowId}`)).body
    const stopped = all.find((action: { status: string }) => action.status === 'failed')
    const skip = { actionType: 'skip', reason: 'later' }
    await call('PATCH', `/workflows/${body.workflowId}/actions/${stopped.id}`, skip)
    await carryOut()
    expect((await one(body.data.id)).state).toBe('failed')
    await call('PATCH', `/ftp/ftp-users/${body.data.id}`, { folder: '' })
    await carryOut()
    expect((await one(body.data.id)).state).toBe('ready')
  })

  it('is suspended once when it expires', async () => {
    const { id } = await user('expires.example', { expiresAt: '2999-01-01T00:00:00Z' })
    expect(last()?.expires).toBe(Date.parse('2999-01-01T00:00:00Z') / 1000)
    await t.app.db.update(ftpUsers).set({ expiresAt: '2026-01-01T00:00:00Z' }).where(eq(ftpUsers.id, id))
    expect(await endExpired(t.app)).toBe(1)
    await carryOut()
    expect([last()?.state, (await one(id)).refused]).toEqual(['suspended', 'The FTP user has expired'])
    expect(await endExpired(t.app)).toBe(0)
    await call('PATCH', `/ftp/ftp-users/${id}`, { expiresAt: null })
    await carryOut()
    expect([last()?.state, (await one(id)).refused]).toEqual(['active', null])
  })

  it('does not lock its website when ending its sessions fails, and is tried again later', async () => {
    const { id, websiteId } = await user('stubborn.example', { expiresAt: '2999-01-01T00:00:00Z' })
    await t.app.db.update(ftpUsers).set({ expiresAt: '2026-01-01T00:00:00Z' }).where(eq(ftpUsers.id, id))
    for (const failing of ['run', 'both'] as const) {
      await t.app.db.update(ftpUsers).set({ retryAt: null }).where(eq(ftpUsers.id, id))
      expect(await endExpired(t.app)).toBe(1)
      await carryOutAll(t.app.db, server, ({ task }) =>
        failing === 'both' || task === 'run' ? { status: 'failed', reason: 'no disk' } : {},
      )
    }
    const [row] = await t.app.db.select().from(ftpUsers).where(eq(ftpUsers.id, id))
    expect([row?.closedAt, row?.state, Date.parse(row?.retryAt ?? '') > Date.now()]).toEqual([null, 'ready', true])
    expect(await endExpired(t.app)).toBe(0)
    expect((await call('POST', '/ftp/ftp-users', { websiteId, name: 'another' })).status).toBe(201)
    await carryOut()
    await t.app.db.update(ftpUsers).set({ retryAt: '2026-01-01T00:00:00Z' }).where(eq(ftpUsers.id, id))
    expect(await endExpired(t.app)).toBe(1)
    await carryOut()
    expect(last()?.state).toBe('suspended')
    expect(await endExpired(t.app)).toBe(0)
  })

  it('is refused where the plan has no room', async () => {
    const { websiteId } = await user('full.example')
    const plan = (await call('GET', '/system-user/plans')).body.items.find(
      ({ name }: { name: string }) => name === 'Business',
    )
    for (let n = 1; n < plan.ftpUsers; n++) {
      await call('POST', '/ftp/ftp-users', { websiteId, name: `n${n}` })
      await carryOut()
    }
    const { status, body } = await call('POST', '/ftp/ftp-users', { websiteId, name: 'more' })
    expect([status, body.fields]).toEqual([422, { websiteId: 'Its plan allows no more FTP users' }])
  })

  it('is renamed with its website: its folder follows', async () => {
    const { id, websiteId } = await user('before.example')
    const { body } = await call('PATCH', `/websites/${websiteId}/rename`, { newDomain: 'after.example' })
    const steps = await stepsOf(body.workflowId)
    expect(steps.indexOf('ftp-user.ensure active')).toBeGreaterThan(steps.indexOf('document-root.rename'))
    await carryOut()
    expect(last()?.site).toMatch(/\/after\.example$/)
    expect((await one(id)).homeDir).toMatch(/after\.example\/public$/)
  })
})

describe('The FTP service of a server', () => {
  it('is found by the state that is shown: of a workflow, itself, its end or its website', async () => {
    const made = {
      active: await user('found-active.example'),
      expired: await user('found-expired.example'),
      disabled: await user('found-disabled.example'),
      suspended: await user('found-suspended.example'),
      failed: await user('found-failed.example'),
    }
    const set = (id: number, values: Partial<typeof ftpUsers.$inferInsert>) =>
      t.app.db.update(ftpUsers).set(values).where(eq(ftpUsers.id, id))
    await set(made.expired.id, { expiresAt: '2020-01-01T00:00:00Z' })
    await set(made.disabled.id, { status: 'disabled', expiresAt: '2020-01-01T00:00:00Z' })
    await set(made.failed.id, { state: 'failed' })
    const websites = Object.values(made).map(({ websiteId }) => websiteId)
    await t.app.db.execute(sql`update websites set status = 'suspended' where website_id = ${made.suspended.websiteId}`)
    for (const [status, { id }] of Object.entries(made)) {
      const { items } = (await call('GET', `/ftp/ftp-users?websiteIds=${websites}&status=${status}`)).body
      expect([status, items]).toMatchObject([status, [{ id, shown: status }]])
      expect(items).toHaveLength(1)
    }
    const both = await call('GET', `/ftp/ftp-users?websiteIds=${websites}&status=expired,failed`)
    expect(both.body.total).toBe(2)
  })

  it('reports last logins and addresses that guess passwords', async () => {
    const { id, username } = await user('seen.example')
    const seen = {
      logins: [{ name: username, at: 1_795_000_000, address: '192.0.2.7' }],
      guesses: [
        { address: '192.0.2.8', tries: 40, at: Math.floor(Date.now() / 1000) },
        { address: '192.0.2.9', tries: 9, at: Math.floor(Date.now() / 1000) },
      ],
    }
    await t.app.db.execute(`update server_states set last_seen_at = now() + interval '1 hour'`)
    expect(await answerReads(t.app.db, server, () => seen, readActivity(t.app))).toBe(1)
    expect(await one(id)).toMatchObject({ lastLoginFrom: '192.0.2.7', lastLoginAt: '2026-11-18T11:06:40.000Z' })
    const { guessers, banned } = (await call('GET', `/ftp/servers/${server}`)).body
    expect([guessers, banned]).toMatchObject([[{ address: '192.0.2.9', tries: 9 }], [{ address: '192.0.2.8' }]])
    const sorted = await call('GET', '/ftp/ftp-users?sort=lastLoginAt&itemsPerPage=1')
    expect(sorted.body.items[0].id).toBe(id)
  })

  it('bans guessers for longer each time, never servers or signed-in staff, and lets people lift bans', async () => {
    const guess = async (address: string) => {
      await t.app.db.execute(sql`insert into guessers (service, server_id, address, tries)
        values ('ftp', ${server}, ${address}, 12) on conflict (service, server_id, address) do update set tries = 12`)
      return banGuessers(t.app, ftpGuesses, server)
    }
    const minutes = async (address: string) => {
      const { banned } = (await call('GET', `/ftp/servers/${server}`)).body
      const one = banned.find((ban: { address: string }) => ban.address === address)
      return one && Math.round((Date.parse(one.until) - Date.now()) / 60_000)
    }
    const address = '198.51.100.77'
    for (const term of TERMS_S) {
      expect(await guess(address)).toBe(1)
      expect(await minutes(address)).toBe(term / 60)
      // the ban expires
      await t.app.db.execute(
        sql`update bans set ended_at = now(), ended_by = 'its end' where ip = ${address} and ended_at is null`,
      )
    }
    const plan = await t.app.db.execute(
      sql`select a.name, a.input from actions a where a.name = 'ip-set.ensure' order by a.action_id desc`,
    )
    expect(plan).toMatchObject({ rows: [{ input: { set: 'ftp-guessers', ports: [21, 990] } }] })
    // after a person lifts a ban, the next ban is as long as before
    expect(await guess('198.51.100.78')).toBe(1)
    expect((await call('DELETE', '/ipset/sets/ftp-guessers/ips/198.51.100.78')).status).toBe(204)
    expect(await minutes('198.51.100.78')).toBeUndefined()
    expect(await guess('198.51.100.78')).toBe(1)
    expect(await minutes('198.51.100.78')).toBe(10)
    expect(await guess('127.0.0.1')).toBe(0)
    await t.app.db.execute(sql`update servers set address = '203.0.113.200' where server_id = ${server}`)
    expect(await guess('203.0.113.200')).toBe(0)
  })

  it('admits clients without TLS on demand', async () => {
    const { body } = await call('PATCH', `/ftp/servers/${server}`, { plain: true })
    await carryOut()
    expect(await stepsOf(body.workflowId)).toEqual(['ftp.ensure'])
    expect((await call('GET', `/ftp/servers/${server}`)).body.plain).toBe(true)
    expect((await call('PATCH', `/ftp/servers/${server}`, { plain: true })).status).toBe(422)
  })
})
