import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../../hosting/owners/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { blockUnknown } from '../../kit/work/claim.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { carryOutAll, enrolled } from '../../test/work.ts'
import { notifyFullDisks } from './fullDisks.ts'
import { storyOf } from './story.ts'

let t: TestApp
let admin: string
let web: number
let mail: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  web = await enrolled(t.app.db, 'web-joints', { provisionedAt: new Date().toISOString() })
  mail = await enrolled(t.app.db, 'mail-joints', { type: 'mail' })
})
afterAll(() => t.close())

const call = async (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) => {
  const answer = await t.call(method, `/api${path}`, { token: admin, body })
  for (const server of [web, mail, web, mail, web]) await carryOutAll(t.app.db, server, () => ({}))
  return answer
}
const box = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
  call(method, `/mailbox/${path}`, body)
const site = async (name: string): Promise<number> => {
  const [kari] = await t.app.db
    .insert(owners)
    .values({ name: 'Kari', email: `kari@${name}` })
    .returning()
  const wish = { originServer: web, domain: name, plan: 'Business', userId: kari!.id }
  return (await call('POST', '/websites', wish)).body.data.id
}
const domain = async (name: string, more: object = {}): Promise<number> =>
  (await box('POST', 'mailboxes', { domain: name, ...more })).body.data.id
const user = async (id: number, localPart: string): Promise<number> =>
  (await box('POST', `mailboxes/${id}/users`, { localPart })).body.data.id
const list = (id: number, localPart: string, targets: string[], more: object = {}) =>
  box('POST', `mailboxes/${id}/aliases`, { localPart, targets, ...more })

describe('a deletion that its server has not begun', () => {
  it('is waited for; if staff skip it, the mailbox that stayed in place is restored', async () => {
    const kept = await user(await domain('kept.example'), 'kept')
    const knows = (more: boolean) =>
      t.app.db.execute(sql`update server_states set operations = array_remove(operations, 'mail-folder.remove') ||
        ${more ? '{mail-folder.remove}' : '{}'}::text[] where server_id = ${mail}`)
    await knows(false)
    const { body } = await box('DELETE', `users/${kept}`, {})
    expect((await box('POST', `users/${kept}/restore`)).status).toBe(409)
    await blockUnknown(t.app.db)
    const [action] = await rows<{ id: number }>(
      t.app.db,
      sql`select action_id::int as id from actions where workflow_id = ${body.workflowId} and status = 'blocked'`,
    )
    const skip = { actionType: 'skip', reason: 'The server is lost' }
    expect((await call('PATCH', `/workflows/${body.workflowId}/actions/${action?.id}`, skip)).status).toBe(200)
    expect((await box('POST', `users/${kept}/restore`)).status).toBe(202)
    expect((await box('GET', `users/${kept}`)).status).toBe(200)
    await knows(true)
  })
})

describe('a website that is created with mail', () => {
  const wish = async (name: string, more: object = {}) => {
    const userId = (
      await t.app.db
        .insert(owners)
        .values({ name, email: `a@${name}` })
        .returning()
    )[0]!.id
    return { originServer: web, domain: name, plan: 'Business', userId, mail: true, ...more }
  }
  const mailOf = async (name: string) => (await box('GET', `mailboxes?search=${name}`)).body.items[0]

  it('has its mail domain on the mail server, as the preview said; a roll back takes both', async () => {
    const wanted = await wish('both.example')
    const { actions } = (await call('POST', '/websites/plan', wanted)).body
    const { body } = await call('POST', '/websites', wanted)
    const planned = actions.map(({ name }: { name: string }) => name)
    expect(planned).toContain('mail-domain.ensure')
    const { actions: ran } = (await call('GET', `/workflows/${body.workflowId}`)).body
    expect(ran.map(({ name }: { name: string }) => name)).toEqual(planned)
    expect(await mailOf('both.example')).toMatchObject({
      ...{ state: 'applied', websiteId: body.data.id, serverName: 'mail-joints', workflowId: body.workflowId },
    })

    const second = await wish('neither.example')
    const begun = await t.call('POST', '/api/websites', { token: admin, body: second })
    await carryOutAll(t.app.db, web, () => ({}))
    const failing = { status: 'failed', reason: 'no room' } as const
    await carryOutAll(t.app.db, mail, ({ name }) => (name === 'mail-domain.ensure' ? failing : {}))
    const stopped = (await call('GET', `/workflows/${begun.body.workflowId}`)).body.actions.find(
      ({ status }: { status: string }) => status === 'failed',
    )
    const back = { actionType: 'rollback', reason: 'no' }
    await call('PATCH', `/workflows/${begun.body.workflowId}/actions/${stopped.id}`, back)
    expect(await mailOf('neither.example')).toBeUndefined()
    expect((await box('POST', 'mailboxes', { domain: 'neither.example' })).status).toBe(201)
  })

  it('needs the permission, a free name and a mail server, and says so beside the field', async () => {
    await domain('taken.example')
    const taken = await call('POST', '/websites', await wish('taken.example'))
    expect([taken.status, taken.body.fields]).toEqual([409, { domain: 'Has mail already' }])
    const { token } = await t.somebody(['website:website:create'])
    const denied = await t.call('POST', '/api/websites', { token, body: await wish('denied.example') })
    expect([denied.status, JSON.stringify(denied.body)]).toEqual([
      403,
      expect.stringContaining('mailbox:mailbox:create'),
    ])
    await t.app.db.execute(sql`update servers set status = 'down' where server_id = ${mail}`)
    const none = await call('POST', '/websites', await wish('none.example'))
    expect([none.status, none.body.fields]).toEqual([422, { mail: 'No mail server accepts new ones' }])
    await t.app.db.execute(sql`update servers set status = 'up' where server_id = ${mail}`)
  })
})

describe('a catch-all', () => {
  it('is part of a loop: by a forward, by a list, by its own change and by a deletion', async () => {
    const id = await domain('caught.example')
    const [a, b] = [await user(id, 'a'), await user(id, 'b')]
    await list(id, 'team', ['a@caught.example', 'b@caught.example'])
    const caught = (address: string | null) => box('PATCH', `mailboxes/${id}`, { catchAll: address })
    expect((await caught('team@caught.example')).status).toBe(202)
    const back = await box('PATCH', `users/${b}`, { forwards: ['ghost@caught.example'] })
    expect([back.status, back.body.fields]).toEqual([
      422,
      {
        forwards: 'A loop: b@caught.example → the catch-all of caught.example → team@caught.example → b@caught.example',
      },
    ])
    expect((await list(id, 'team', ['a@caught.example', 'ghost@caught.example'])).body.fields.targets).toMatch(
      /^A loop/,
    )
    expect((await box('PATCH', `users/${a}`, { forwards: ['b@caught.example'] })).status).toBe(202)
    // the list now leads to b by a, and mail to b would come to the list again
    const gone = await box('DELETE', `users/${b}`)
    expect([gone.status, gone.body.message]).toEqual([422, expect.stringMatching(/^This is a loop: the catch-all of/)])
    await list(id, 'odd', ['ghost@over.example'])
    const over = await domain('over.example')
    const loop = { catchAll: 'odd@caught.example' }
    expect((await box('PATCH', `mailboxes/${over}`, loop)).body.fields).toEqual({
      catchAll: 'A loop: the catch-all of over.example → odd@caught.example → the catch-all of over.example',
    })
  })
})

describe('an address', () => {
  it('exists if others lead to it; one that was a mailbox becomes an alias only with a word', async () => {
    const id = await domain('named.example')
    const a = await user(id, 'a')
    const missing = { targets: 'x@named.example is neither a mailbox nor an alias' }
    expect((await list(id, 'team', ['a+b@named.example', 'x@named.example'])).body.fields).toEqual(missing)
    expect((await box('PATCH', `users/${a}`, { forwards: ['x@named.example'] })).body.fields).toEqual({
      forwards: 'Is neither a mailbox nor an alias',
    })
    await box('DELETE', `users/${await user(id, 'gone')}`)
    const again = await list(id, 'gone', ['a@named.example'])
    expect([again.status, Object.keys(again.body.fields)]).toEqual([409, ['localPart', 'again']])
    expect((await list(id, 'gone', ['a@named.example'], { again: true })).status).toBe(202)
    expect((await list(id, 'gone', ['a@named.example', 'b@far.example'])).status).toBe(202)
  })

  it('that keeps no copy answers nobody, which is said', async () => {
    const a = await user(await domain('mute.example'), 'a')
    const away = { autoReply: { subject: 'Away', text: 'Until May' } }
    const sent = { forwards: ['a@far.example'], keepCopy: false }
    expect((await box('PATCH', `users/${a}`, { ...away, ...sent })).body.fields).toEqual({
      keepCopy: 'Required for an automatic reply',
    })
    expect((await box('PATCH', `users/${a}`, away)).status).toBe(202)
    expect((await box('PATCH', `users/${a}`, sent)).body.fields).toHaveProperty('keepCopy')
    expect((await box('PATCH', `users/${a}`, { ...sent, autoReply: null })).status).toBe(202)
  })
})

it('a mail domain in the trash with its website is not given out again without a word, and says why it cannot return', async () => {
  const websiteId = await site('trashed.example')
  await domain('trashed.example', { websiteId })
  await call('DELETE', `/websites/${websiteId}`, {})
  const taken = await box('POST', 'mailboxes', { domain: 'trashed.example' })
  expect([taken.status, Object.keys(taken.body.fields)]).toEqual([409, ['domain', 'again']])
  const anew = await domain('trashed.example', { again: true })
  const back = await call('POST', `/websites/${websiteId}/restore`, {})
  expect([back.status, back.body.message]).toEqual([
    409,
    'trashed.example has mail on mail-joints by now. Delete that mail domain first.',
  ])
  await box('DELETE', `mailboxes/${anew}`, {})
  expect((await call('POST', `/websites/${websiteId}/restore`, {})).status).toBe(202)
})

it('a mail server with a full disk causes one notification a day, and traces show why mail waits', async () => {
  await domain('full.example')
  const disk = (used: number) =>
    t.app.db.execute(
      sql`update server_states set disk_total = 1000000000, disk_used = ${used} where server_id = ${mail}`,
    )
  await disk(900_000_000)
  expect(await notifyFullDisks(t.app)).toBe(0)
  await disk(990_000_000)
  expect([await notifyFullDisks(t.app), await notifyFullDisks(t.app)]).toEqual([1, 0])
  const { items } = (await call('GET', '/employee-controller/notifications')).body
  expect(items).toContainEqual(
    expect.objectContaining({ level: 'error', title: 'The mail server mail-joints has hardly any room left' }),
  )
  const text = 'to=<a@full.example>, relay=x, status=deferred (host x said: 451 4.2.0 Internal error occurred.)'
  const { outcome, steps } = storyOf('4XyZ12ABCDz', [{ at: '2026-11-24T12:00:00Z', by: 'postfix/lmtp', text }])
  expect([outcome, steps[0]?.text]).toEqual(['waiting', expect.stringContaining('as with a full disk')])
})

it('says of a message that a person held, released and deleted it', () => {
  const line = (by: string, text: string) => ({ at: '2026-11-24T12:00:00Z', by: `postfix/${by}`, text })
  const waits = line('smtp', 'to=<a@far.example>, relay=none, status=deferred (connect to far: No route to host)')
  const acts = ['placed on hold', 'released from hold', 'removed'].map((text) => line('postsuper', text))
  const { outcome, steps } = storyOf('4XyZ12ABCDz', [waits, ...acts])
  expect([outcome, steps.map(({ what }) => what)]).toEqual(['deleted', ['Waits', 'Held', 'Released', 'Deleted']])
})

it('a deleted domain or mailbox is not restored into a loop that others began meanwhile', async () => {
  const [gone, other] = [await domain('returning.example'), await domain('staying-on.example')]
  const kari = await user(other, 'kari')
  await list(gone, 'a', ['b@staying-on.example'])
  await box('DELETE', `mailboxes/${gone}`, { domain: 'returning.example' })
  expect((await list(other, 'b', ['a@returning.example'])).status).toBe(202)
  const back = await box('POST', `mailboxes/${gone}/restore`)
  const loop = 'a@returning.example → b@staying-on.example → a@returning.example'
  expect([back.status, back.body.message]).toEqual([422, `This is a loop: ${loop}`])
  expect((await list(other, 'b', ['kari@staying-on.example'])).status).toBe(202)
  expect((await box('POST', `mailboxes/${gone}/restore`)).status).toBe(202)
  await list(gone, 'c', ['d@elsewhere.example'])
  await box('PATCH', `users/${kari}`, { forwards: ['c@returning.example'] })
  await box('DELETE', `users/${kari}`)
  await list(other, 'b', ['d@elsewhere.example'])
  expect((await list(gone, 'c', ['kari@staying-on.example'])).status).toBe(202)
  const returned = await box('POST', `users/${kari}/restore`)
  expect([returned.status, returned.body.message]).toEqual([422, expect.stringMatching(/^This is a loop: kari@/)])
})

it('finds the mailboxes of a server with thousands of domains', async () => {
  await t.app.db.execute(sql`insert into servers (name, type) values ('mail-many', 'mail')`)
  const server = sql`(select server_id from servers where name = 'mail-many')`
  await t.app.db.execute(sql`insert into mailboxes (domain, server_id, state)
    select 'many-' || n || '.example', ${server}, 'ready' from generate_series(1, 2000) n`)
  await t.app.db.execute(sql`insert into mailbox_users (mailbox_id, local_part, address, quota_mb)
    select mailbox_id, 'kari', 'kari@' || domain, 1 from mailboxes where server_id = ${server}`)
  const [found] = await rows<{ id: number }>(t.app.db, sql`select ${server} as id`)
  const { items, total } = (await call('GET', `/mailbox/users?server=${found?.id}`)).body
  expect([total, items[0].address]).toEqual([2000, 'kari@many-1.example'])
})
