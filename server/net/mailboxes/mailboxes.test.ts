import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../../hosting/owners/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { carryOutAll, enrolled } from '../../test/work.ts'
import { certificates } from '../ssl/tables.ts'
import { chainFor } from '../ssl/test/chain.ts'
import { installCertificates } from './certificates.ts'
import { endStatuses } from './ends.ts'

let t: TestApp
let admin: string
let web: number
let mail: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  web = await enrolled(t.app.db, 'web-mail', { provisionedAt: new Date().toISOString() })
  mail = await enrolled(t.app.db, 'mail-1', { type: 'mail' })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, body })
const box = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
  call(method, `/mailbox/${path}`, body)
/** Runs all ready actions; the action named `failing` fails. */
const carryOut = async (failing?: string) => {
  // a workflow of a website alternates between its servers
  for (const server of [web, mail, web, mail, web])
    await carryOutAll(t.app.db, server, ({ name }) => (name === failing ? { status: 'failed', reason: 'no' } : {}))
}
const done = async (answer: { status: number; body: { data: { id: number; [key: string]: unknown } } }) => {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  await carryOut()
  return answer.body.data
}
const domain = async (name: string, more: object = {}) =>
  done(await box('POST', 'mailboxes', { domain: name, ...more }))
const user = async (id: number, localPart: string, more: object = {}) =>
  done(await box('POST', `mailboxes/${id}/users`, { localPart, ...more }))
async function site(name: string): Promise<number> {
  const [kari] = await t.app.db
    .insert(owners)
    .values({ name: 'Kari', email: `kari@${name}` })
    .returning()
  const wish = { originServer: web, domain: name, plan: 'Business', userId: kari!.id }
  return (await done(await call('POST', '/websites', wish))).id
}
/** The input of the newest action of this name, without secrets. */
const lastInput = async (name: string) =>
  (
    await rows<{ input: Record<string, unknown> }>(
      t.app.db,
      sql`select input from actions where name = ${name} order by action_id desc limit 1`,
    )
  )[0]?.input

describe('a mail domain', () => {
  it('is created on a mail server with its services, and answered in the list and by id', async () => {
    const { status, body } = await box('POST', 'mailboxes', { domain: 'first.example' })
    expect([status, body.data.state, body.data.serverName]).toEqual([201, 'applying', 'mail-1'])
    const plan = await rows<{ name: string }>(
      t.app.db,
      sql`select name from actions where workflow_id = ${body.workflowId} order by position`,
    )
    expect(plan.map(({ name }) => name)).toEqual([
      ...['packages.ensure', 'mail-filter.ensure', 'packages.ensure', 'postfix.ensure', 'dovecot.ensure'],
      ...['mail-key.ensure', 'mail-domain.ensure'],
    ])
    await carryOut()
    const { items } = (await box('GET', 'mailboxes?page=0&search=FIRST')).body
    expect(items).toMatchObject([{ domain: 'first.example', state: 'applied', status: 'active', users: 0 }])
    expect((await box('GET', `mailboxes/${body.data.id}`)).body).toMatchObject({ items: [], aliases: [] })
  })

  it('must be a name of its website, and exists only once', async () => {
    const id = await site('owned.example')
    expect((await box('POST', 'mailboxes', { websiteId: id, domain: 'gmail.example' })).body.fields).toEqual({
      domain: 'Not a name of owned.example',
    })
    const { body } = await box('POST', 'mailboxes', { websiteId: id })
    await carryOut()
    expect(body.data).toMatchObject({ domain: 'owned.example', websiteDomain: 'owned.example', ownerName: 'Kari' })
    expect((await box('POST', 'mailboxes', { websiteId: id })).status).toBe(409)
    expect((await box('POST', 'mailboxes', { domain: 'x.example', serverId: web })).body.fields).toEqual({
      serverId: 'Is no mail server',
    })
    expect((await box('POST', 'mailboxes', {})).status).toBe(400)
  })

  it('gets a status with a reason and an end, after which it is active again', async () => {
    const { id } = await domain('toggled.example')
    await done(await box('PATCH', `mailboxes/${id}/toggle`, { status: 'receive-only' })) // the specification's body
    expect((await box('GET', `mailboxes/${id}`)).body).toMatchObject({ status: 'receive-only', reason: '' })
    const past = { status: 'disabled', reason: 'Unpaid', until: '2020-01-01T00:00:00Z' }
    expect((await box('PATCH', `mailboxes/${id}/toggle`, past)).body.fields).toEqual({ until: 'Is past' })
    await done(await box('PATCH', `mailboxes/${id}/toggle`, { ...past, until: '2999-01-01T00:00:00Z' }))
    expect(await lastInput('mail-domain.ensure')).toMatchObject({ domain: 'toggled.example', state: 'disabled' })
    await t.app.db.execute(sql`update mailboxes set until = now() - interval '1 minute' where mailbox_id = ${id}`)
    expect(await endStatuses(t.app)).toBe(1)
    await carryOut()
    expect((await box('GET', `mailboxes/${id}`)).body).toMatchObject({ status: 'active', reason: '', until: null })
    expect(await lastInput('mail-domain.ensure')).toMatchObject({ state: 'active' })
  })

  it('shows that its server differs after a rollback, until it is applied again', async () => {
    const { id } = await domain('differs.example')
    const { workflowId } = (await box('PATCH', `mailboxes/${id}/toggle`, { status: 'disabled', reason: 'Test' })).body
    await carryOut('mail-domain.ensure')
    expect((await box('GET', `mailboxes/${id}`)).body.state).toBe('failed')
    const [stopped] = await rows<{ id: number }>(
      t.app.db,
      sql`select action_id as id from actions where workflow_id = ${workflowId} and status = 'failed'`,
    )
    const back = { actionType: 'rollback', reason: 'no' }
    expect((await call('PATCH', `/workflows/${workflowId}/actions/${stopped!.id}`, back)).status).toBe(200)
    await carryOut()
    expect((await box('GET', `mailboxes/${id}`)).body).toMatchObject({ state: 'failed', status: 'disabled' })
    await done(await box('POST', `mailboxes/${id}/apply`))
    expect((await box('GET', `mailboxes/${id}`)).body.state).toBe('applied')
  })

  it('goes into the trash, is restored with its mailboxes, and is not created again without confirmation', async () => {
    const { id } = await domain('returned.example')
    const kari = await user(id, 'kari')
    expect((await box('DELETE', `mailboxes/${id}`, { domain: 'other.example' })).status).toBe(422)
    await done(await box('DELETE', `mailboxes/${id}`, { domain: 'returned.example' }))
    expect((await box('GET', `mailboxes/${id}`)).status).toBe(404)
    expect((await box('GET', `users/${kari.id}`)).status).toBe(404)
    const taken = await box('POST', 'mailboxes', { domain: 'returned.example' })
    expect([taken.status, Object.keys(taken.body.fields)]).toEqual([409, ['domain', 'again']])
    await done(await box('POST', `mailboxes/${id}/restore`))
    expect((await box('GET', `users/${kari.id}`)).body.address).toBe('kari@returned.example')
    await done(await box('DELETE', `mailboxes/${id}`))
    const anew = await domain('returned.example', { again: true })
    await user(anew.id, 'kari')
    expect((await box('POST', `mailboxes/${id}/restore`)).status).toBe(409)
  })
})

describe('spam and limits', () => {
  it('a mailbox has the threshold of its domain unless it has one of its own; an account has one limit', async () => {
    const { id } = await domain('filtered.example')
    const [kari] = [await user(id, 'kari'), await user(id, 'lars')]
    await done(await box('PATCH', `mailboxes/${id}`, { spamScore: 4, hourlyLimit: 200 }))
    await done(await box('PATCH', `users/${kari.id}`, { spamScore: 9 }))
    expect(await lastInput('mail-domain.ensure')).toMatchObject({
      accountLimit: 200,
      users: Object.entries({ kari: 9, lars: 4 }).map(([localPart, spamScore]) => ({ localPart, spamScore })),
    })
    expect((await box('PATCH', `users/${kari.id}`, { hourlyLimit: 201 })).body).toMatchObject({
      message: expect.stringContaining('The mail domain may write to 200 recipients an hour in all'),
      fields: { hourlyLimit: 'At most 200, the limit of the mail domain' },
    })
    await done(await box('PATCH', `users/${kari.id}`, { hourlyLimit: 200 }))
    // a lower limit of the account is no reason to refuse, but everybody who looks at the mailbox sees that it rules
    await done(await box('PATCH', `mailboxes/${id}`, { hourlyLimit: 150 }))
    expect((await box('GET', `users/${kari.id}`)).body).toMatchObject({ hourlyLimit: 200, accountLimit: 150 })
    await done(await box('PATCH', `mailboxes/${id}`, { spamScore: null, hourlyLimit: null }))
    await done(await box('PATCH', `users/${kari.id}`, { spamScore: null, hourlyLimit: null }))
    const input = await lastInput('mail-domain.ensure')
    expect(JSON.stringify(input)).not.toMatch(/spamScore|accountLimit/)
    for (const wrong of [{ spamScore: 0 }, { spamScore: 16 }, { hourlyLimit: 0 }])
      expect((await box('PATCH', `mailboxes/${id}`, wrong)).body.fields).toHaveProperty(Object.keys(wrong)[0]!)
  })
})

describe('the certificate of a mail host', () => {
  it('comes from the website, is renewed with it, and blocks nothing if the installation fails', async () => {
    const websiteId = await site('sealed.example')
    const { id } = await domain('sealed.example', { websiteId })
    const { leaf, middle } = await chainFor(['sealed.example'])
    const chain = [leaf, middle].map(({ pem }) => `${pem.trim()}\n`).join('')
    const later = '2999-01-01T00:00:00Z'
    const certificate = async (print: string, ...names: string[]) => {
      await t.app.secrets.write(t.app.db, `test:${print}`, leaf.key)
      await t.app.db.insert(certificates).values({
        ...{ websiteId, domain: 'sealed.example', kind: 'lets-encrypt', state: 'active', names, search: '', chain },
        ...{ fingerprint: print, issuer: 'Tests', notAfter: later, autoRenew: true, vhostAliases: true },
        secret: `test:${print}`,
      })
    }
    await certificate('a', 'sealed.example')
    const look = async () => {
      await t.app.db.execute(sql`update mailboxes set tls_look_at = now() - interval '1 s' where mailbox_id = ${id}`)
      return installCertificates(t.app)
    }
    await installCertificates(t.app)
    expect(await look()).toBe(0)
    await certificate('b', 'sealed.example', 'mail.sealed.example')
    expect(await installCertificates(t.app)).toBe(0) // compares once a day, and after each workflow of the website
    expect(await look()).toBe(1)
    expect(await lastInput('mail-tls.ensure')).toMatchObject({ mailboxId: id, domain: 'sealed.example', chain })
    await carryOut()
    const now = async () => (await box('GET', `mailboxes/${id}`)).body
    expect(await now()).toMatchObject({ state: 'applied', certificate: { fingerprint: 'b', issuer: 'Tests' } })
    expect(await look()).toBe(0)
    await t.app.db.execute(sql`update certificates set fingerprint = 'c' where fingerprint = 'b'`)
    const waits: number[] = []
    for (const _ of [1, 2, 3]) {
      expect(await look()).toBe(1)
      await carryOut('mail-tls.ensure')
      const { state, certificate: shown, certificateProblem } = await now()
      expect([state, shown.fingerprint, certificateProblem.why]).toEqual(['applied', 'b', 'Certificate: no'])
      waits.push(Date.parse(certificateProblem.nextTry) - Date.now())
    }
    expect(waits.map((ms) => Math.round(ms / 60_000))).toEqual([5, 10, 20])
    const told = (await call('GET', '/employee-controller/notifications')).body.items
    expect(told.filter(({ title }: { title: string }) => title.includes('sealed.example'))).toHaveLength(1)
    expect(await rows(t.app.db, sql`select from resource_locks where resource = ${`mailbox:${id}`}`)).toEqual([])
    await look()
    await carryOut()
    expect(await now()).toMatchObject({ certificate: { fingerprint: 'c' }, certificateProblem: null })
  })

  it('releases its lock even if the rollback fails', async () => {
    const { id } = await domain('stuck.example')
    await t.app.db.execute(sql`update mailboxes set until = now() - interval '1 minute', status = 'disabled'
      where mailbox_id = ${id}`)
    await endStatuses(t.app)
    const never = ({ name }: { name: string }) =>
      name === 'mail-domain.ensure' ? ({ status: 'failed', reason: 'no' } as const) : {}
    await carryOutAll(t.app.db, mail, never)
    await carryOutAll(t.app.db, mail, never)
    const open = await rows(
      t.app.db,
      sql`select from workflows where subject_type = 'mailbox' and subject_id = ${id} and ended_at is null`,
    )
    expect(open).toEqual([])
    expect((await box('GET', `mailboxes/${id}`)).body).toMatchObject({ status: 'active', state: 'failed' })
    expect(await endStatuses(t.app)).toBe(0)
    await t.app.db.execute(sql`update mailboxes set apply_at = now() - interval '1 second' where mailbox_id = ${id}`)
    expect(await endStatuses(t.app)).toBe(1)
    await carryOut()
    expect((await box('GET', `mailboxes/${id}`)).body).toMatchObject({ status: 'active', state: 'applied' })
  })

  it('a mail domain can be applied again while one of its workflows has stopped', async () => {
    const { id } = await domain('again.example')
    await box('POST', `mailboxes/${id}/keys`)
    await carryOut('mail-key.ensure')
    expect((await box('POST', `mailboxes/${id}/users`, { localPart: 'kari' })).status).toBe(409)
    await done(await box('POST', `mailboxes/${id}/apply`))
    expect((await box('GET', `mailboxes/${id}`)).body.state).toBe('applied')
    await user(id, 'kari')
  })

  it('a new DKIM key leaves the state of the mail domain unchanged', async () => {
    const { id } = await domain('keyed.example')
    await done(await box('POST', `mailboxes/${id}/keys`))
    expect((await box('GET', `mailboxes/${id}`)).body.state).toBe('applied')
  })
})

describe('a mailbox', () => {
  let id: number
  beforeAll(async () => {
    id = (await domain('boxes.example')).id
  })

  it('has a password that only one answer contains and that is stored as a hash', async () => {
    const { body } = await box('POST', `mailboxes/${id}/users`, { localPart: ' Kari.N ', name: 'Kari' })
    await carryOut()
    expect(body.data.address).toBe('kari.n@boxes.example')
    expect(body.password).toMatch(/^\w{20}$/)
    const stored = (await t.app.secrets.read(t.app.db, `mailbox:${id}`)) ?? ''
    expect(stored).toContain(`"${body.data.id}":{"0":"{PBKDF2}$1$`)
    expect(stored).not.toContain(body.password)
    const log = await rows(t.app.db, sql`select * from action_logs where after::text like ${`%${body.password}%`}`)
    expect(log).toEqual([])
    const own = { localPart: 'own', password: 'a password of its own' }
    expect((await box('POST', `mailboxes/${id}/users`, own)).body.password).toBeUndefined()
    await carryOut()
    const weak = await box('POST', `mailboxes/${id}/users`, { localPart: 'weak', password: 'passwordpassword' })
    expect([weak.status, Object.keys(weak.body.fields)]).toEqual([422, ['password']])
  })

  it.for([
    [
      'kåre',
      'Only letters without accents, from a to z: many mail servers still refuse mail to and from others (SMTPUTF8)',
    ],
    ['kari+shop', 'Without +: mail to name+anything reaches name anyway'],
    ['"kari"', "Lower-case letters, digits, dots, hyphens, _ and ', a letter or digit first"],
    ['a..b', "Lower-case letters, digits, dots, hyphens, _ and ', a letter or digit first"],
    ['x'.repeat(65), 'At most 64 characters'],
    ['kari@boxes.example', 'Only the part before @'],
    ['a\nb', "Lower-case letters, digits, dots, hyphens, _ and ', a letter or digit first"],
  ])('refuses the local part %s beside its field', async ([localPart, why]) => {
    const { status, body } = await box('POST', `mailboxes/${id}/users`, { localPart })
    expect([status, body.fields]).toEqual([400, { localPart: why }])
  })

  it('changes quota, status, forwards and reply; refuses a quota below its usage, and loops', async () => {
    const lars = await user(id, 'lars')
    const mini = await user(id, 'mini')
    await t.app.db.execute(sql`update mailbox_users set used = 5000000000 where mailbox_user_id = ${lars.id}`)
    expect((await box('PATCH', `users/${lars.id}`, { quotaMb: 100 })).body.fields).toEqual({
      quotaMb: 'Holds 4768.4 MB now',
    })
    await done(
      await box('PATCH', `users/${lars.id}`, {
        ...{ quotaMb: 6000, status: 'receive-only', reason: 'Sends spam', hourlyLimit: 5 },
        forwards: ['mini@boxes.example'],
        autoReply: { subject: 'Away', text: 'Until May' },
      }),
    )
    const { users } = (await lastInput('mail-domain.ensure')) as { users: { userId: number }[] }
    expect(users.find((one) => one.userId === lars.id)).toEqual({
      ...{ userId: lars.id, localPart: 'lars', quotaMb: 6000, state: 'receive-only', hourlyLimit: 5 },
      ...{ forwards: ['mini@boxes.example'], keepCopy: true, autoReply: { subject: 'Away', text: 'Until May' } },
    })
    await done(
      await box('POST', `mailboxes/${id}/aliases`, {
        localPart: 'team',
        targets: ['lars@boxes.example', 'x@y.example'],
      }),
    )
    const loop = await box('PATCH', `users/${mini.id}`, { forwards: ['team+x@boxes.example'] })
    expect([loop.status, loop.body.fields.forwards]).toEqual([
      422,
      'A loop: mini@boxes.example → team@boxes.example → lars@boxes.example → mini@boxes.example',
    ])
    expect((await box('PATCH', `users/${mini.id}`, { forwards: ['mini@boxes.example'] })).status).toBe(422)
    const named = { localPart: 'mini', targets: ['x@y.example'] }
    expect((await box('POST', `mailboxes/${id}/aliases`, named)).status).toBe(409)
    expect((await box('PATCH', `mailboxes/${id}`, { catchAll: 'nobody@boxes.example' })).status).toBe(422)
    await done(await box('PATCH', `mailboxes/${id}`, { catchAll: 'mini@boxes.example' }))
    expect((await box('DELETE', `users/${mini.id}`)).status).toBe(422)
  })

  it('is deleted into the trash, and restored', async () => {
    const gone = await user(id, 'gone')
    await done(await box('DELETE', `users/${gone.id}`, { version: 1 }))
    const again = await box('POST', `mailboxes/${id}/users`, { localPart: 'gone' })
    expect([again.status, Object.keys(again.body.fields)]).toEqual([409, ['localPart', 'again']])
    const { items } = (await box('GET', 'trash')).body
    expect(items).toContainEqual(expect.objectContaining({ kind: 'mailbox', name: 'gone@boxes.example' }))
    await done(await box('POST', `users/${gone.id}/restore`))
    expect(await lastInput('mail-folder.restore')).toMatchObject({ userId: gone.id, taken: [expect.any(Number)] })
    expect((await box('GET', `users?search=GONE@&sort=usedMb`)).body.items).toMatchObject([{ id: gone.id }])
  })

  it('refuses an outdated version with the stored row', async () => {
    const busy = await user(id, 'busy')
    await done(await box('PATCH', `users/${busy.id}`, { name: 'Busy', version: 1 }))
    const late = await box('PATCH', `users/${busy.id}`, { name: 'Late', version: 1 })
    expect([late.status, late.body.current.name]).toEqual([409, 'Busy'])
  })
})

describe('the mail of a website', () => {
  it('is suspended, deleted and restored with the website', async () => {
    const websiteId = await site('part.example')
    const { id } = await done(await box('POST', 'mailboxes', { websiteId }))
    await user(id, 'kari')
    await done(await call('PATCH', `/websites/${websiteId}`, { status: 'suspended' }))
    expect(await lastInput('mail-domain.ensure')).toMatchObject({ mailboxId: id, state: 'disabled' })
    expect((await box('GET', `mailboxes/${id}`)).body).toMatchObject({ suspended: true, status: 'active' })
    expect((await box('GET', `users?mailbox=${id}`)).body.items).toMatchObject([{ suspended: true, status: 'active' }])
    await done(await call('PATCH', `/websites/${websiteId}`, { status: 'active' }))
    expect(await lastInput('mail-domain.ensure')).toMatchObject({ mailboxId: id, state: 'active' })
    await done(await call('DELETE', `/websites/${websiteId}`, {}))
    expect((await box('GET', `mailboxes/${id}`)).status).toBe(404)
    expect((await box('GET', `trash?websiteId=${websiteId}`)).body.total).toBe(0)
    await done(await call('POST', `/websites/${websiteId}/restore`, {}))
    expect((await box('GET', `mailboxes/${id}`)).body).toMatchObject({ state: 'applied', users: 1 })
    expect(await lastInput('mail-domain.restore')).toMatchObject({ mailboxId: id, taken: [expect.any(Number)] })
    await done(await call('PATCH', `/websites/${websiteId}`, { status: 'suspended' }))
    await done(await call('DELETE', `/websites/${websiteId}`, {}))
    await done(await call('POST', `/websites/${websiteId}/restore`, {}))
    expect(await lastInput('mail-domain.ensure')).toMatchObject({ mailboxId: id, state: 'disabled' })
  })

  it('counts against the plan of the account', async () => {
    const websiteId = await site('counted.example')
    const { id } = await done(await box('POST', 'mailboxes', { websiteId }))
    await t.app.db.execute(sql`update plans set mailboxes = 1`)
    await user(id, 'one')
    const two = await box('POST', `mailboxes/${id}/users`, { localPart: 'two' })
    expect([two.status, two.body.fields]).toEqual([422, { localPart: 'Its plan allows no more mailboxes' }])
    await t.app.db.execute(sql`update plans set mailboxes = 100`)
  })
})

it('a new mail domain installs a web server for the settings of mail programs if there is none', async () => {
  const bare = await enrolled(t.app.db, 'mail-bare', { type: 'mail' })
  await t.app.db.execute(sql`update server_states set services = '[]' where server_id = ${bare}`)
  const { body } = await box('POST', 'mailboxes', { domain: 'bare.example', serverId: bare })
  const begun = sql`select name, input from actions where workflow_id = ${body.workflowId} order by position`
  const [packages, web] = await rows<{ name: string; input: { packages?: string[] } }>(t.app.db, begun)
  expect([packages?.input.packages, web?.name]).toEqual([expect.arrayContaining(['nginx', 'postfix']), 'nginx.ensure'])
  await carryOutAll(t.app.db, bare, () => ({}))
  const { records } = (await box('GET', `mailboxes/${body.data.id}/dns`)).body
  expect(records).toContainEqual(expect.objectContaining({ name: '_autodiscover._tcp.bare.example', type: 'SRV' }))
})
