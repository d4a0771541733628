import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { actionsOf, carryOut, enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  await t.app.db
    .insert(owners)
    .values(['Kari', 'Lars', 'Mona', 'Nils', 'Ola'].map((name) => ({ name, email: `${name}@example.org` })))
  server = await enrolled(t.app.db, 'web-1', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, ...(body !== undefined && { body }) })
async function site(domain: string, userId: number, more: object = {}): Promise<number> {
  const { body } = await call('POST', '/websites', { originServer: server, domain, userId, plan: 5, ...more })
  for (const { serverId } of await actionsOf(t.app.db, body.workflowId)) await carryOut(t.app.db, serverId)
  return body.data.id
}
async function group(ownerId: number, ...domains: string[]) {
  const ids = []
  for (const domain of domains) ids.push(await site(domain, ownerId))
  const { body } = await call('POST', '/groups', { ownerId, mainWebsite: ids[0], ids: ids.slice(1) })
  return { ...body, ids } as { id: number; version: number; ids: number[] }
}
const domainsOf = async (id: number) =>
  (await call('GET', `/websites/groups/${id}`)).body.items.map((site: { domain: string }) => site.domain)

describe('owners', () => {
  it('are found by a part of their name or address, and by their ids', async () => {
    const found = async (query: string) =>
      (await call('GET', `/groups/owners?${query}`)).body.items.map(({ name }: { name: string }) => name)
    expect(await found('search=ar')).toEqual(['Kari', 'Lars'])
    expect(await found('search=OLA@')).toEqual(['Ola'])
    expect(await found('ids=3,1,999')).toEqual(['Kari', 'Mona'])
    expect(await found('ids=3,1&search=mona')).toEqual(['Mona'])
  })
})

describe('a website group', () => {
  it('has a main website and members in its own order, under both of its URLs', async () => {
    const made = await group(1, 'main.example', 'b.example', 'c.example')
    expect(await domainsOf(made.id)).toEqual(['main.example', 'b.example', 'c.example'])
    const [a, b, c] = made.ids
    expect(await call('PATCH', '/groups', { id: made.id, ids: [c, a, b], version: made.version })).toMatchObject({
      status: 200,
      body: { mainDomain: 'main.example', websites: 3, servers: [{ name: 'web-1' }] },
    })
    expect(await domainsOf(made.id)).toEqual(['c.example', 'main.example', 'b.example'])
    expect((await call('GET', `/groups/${made.id}`)).status).toBe(200)
    expect((await call('GET', `/websites/${b}/group`)).body.group).toMatchObject({ id: made.id })
    expect((await call('PATCH', '/groups', { id: made.id, ids: [a], version: made.version })).status).toBe(409)
    expect((await call('PATCH', '/groups', { id: made.id, ids: [b, c] })).body.fields).toHaveProperty('ids')
    await call('PATCH', '/groups', { id: made.id, ids: [a, b] })
    expect((await call('GET', `/websites/${c}/group`)).body.group).toBeNull()
  })
  it('accepts a chosen id once, and gives later groups higher ids', async () => {
    const [a, b, c] = [await site('n1.example', 2), await site('n2.example', 2), await site('n3.example', 2)]
    expect(await call('POST', '/groups', { id: 5000, ownerId: 2, mainWebsite: a })).toMatchObject({
      status: 201,
      body: { id: 5000 },
    })
    expect(await call('POST', '/groups', { id: 5000, ownerId: 2, mainWebsite: b })).toMatchObject({ status: 409 })
    expect((await call('POST', '/groups', { ownerId: 2, mainWebsite: c })).body.id).toBe(5001)
  })
  it('contains websites of one owner that are in no other group', async () => {
    const made = await group(1, 'own.example')
    const [foreign, gone] = [await site('foreign.example', 2), 99_999]
    const taken = (await group(1, 'taken.example')).ids[0]
    for (const id of [foreign, taken, gone])
      expect(await call('PATCH', '/groups', { id: made.id, ids: [made.ids[0], id] })).toMatchObject({
        status: 422,
        body: { fields: { ids: expect.any(String) } },
      })
    expect((await call('POST', '/groups', { ownerId: 1, mainWebsite: foreign })).body.fields).toHaveProperty(
      'mainWebsite',
    )
    expect((await call('POST', '/groups', { ownerId: 77, mainWebsite: foreign })).body.fields).toHaveProperty('ownerId')
  })
  it('gets a new website of its owner as a member', async () => {
    const made = await group(3, 'first.example')
    await site('second.example', 3, { groupId: made.id })
    expect(await domainsOf(made.id)).toEqual(['first.example', 'second.example'])
    const { status, body } = await call('POST', '/websites', {
      originServer: server,
      domain: 'third.example',
      userId: 2,
      plan: 5,
      groupId: made.id,
    })
    expect([status, Object.keys(body.fields)]).toEqual([422, ['groupId']])
  })
  it('moves to another owner with its accounts, unless an account has a website outside the group', async () => {
    const made = await group(4, 'gift.example', 'bow.example')
    const outside = await site('outside.example', 4)
    expect(await call('PATCH', '/groups/owner', { id: made.id, newOwner: 5 })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('outside.example') },
    })
    await call('PATCH', '/groups', { id: made.id, ids: [...made.ids, outside] })
    expect(await call('PATCH', '/groups/owner', { id: made.id, newOwner: 5 })).toMatchObject({
      status: 200,
      body: { ownerName: 'Ola' },
    })
    const { body } = await call('GET', `/websites/${outside}`)
    expect(body.ownerName).toBe('Ola')
    expect((await call('GET', `/system-user/system-users/${body.systemUserId}`)).body.ownerName).toBe('Ola')
  })
  it('gets the next website as main website when that is deleted, and is deleted with its last website', async () => {
    const made = await group(1, 'old-main.example', 'next.example')
    for (const [n, id] of made.ids.entries()) {
      const { body } = await call('DELETE', `/websites/${id}`)
      for (const { serverId } of await actionsOf(t.app.db, body.workflowId)) await carryOut(t.app.db, serverId)
      const left = await call('GET', `/groups/${made.id}`)
      if (n === 0) expect(left.body).toMatchObject({ mainDomain: 'next.example', websites: 1 })
      else expect(left.status).toBe(404)
    }
  })
  it('gets a restored website back in its place, even if the group was deleted with it', async () => {
    const made = await group(5, 'back-a.example', 'back-b.example', 'back-c.example')
    const [a, b, c] = made.ids as [number, number, number]
    const run = async (method: 'DELETE' | 'POST', path: string) => {
      const { body } = await call(method, path)
      for (const { serverId } of await actionsOf(t.app.db, body.workflowId)) await carryOut(t.app.db, serverId)
    }
    await run('DELETE', `/websites/${b}`)
    expect(await domainsOf(made.id)).toEqual(['back-a.example', 'back-c.example'])
    expect((await call('GET', `/websites/${b}`)).body.groupId).toBeNull()
    await run('POST', `/websites/${b}/restore`)
    expect(await domainsOf(made.id)).toEqual(['back-a.example', 'back-b.example', 'back-c.example'])
    for (const id of [a, c, b]) await run('DELETE', `/websites/${id}`)
    expect((await call('GET', `/groups/${made.id}`)).status).toBe(404)
    await run('POST', `/websites/${a}/restore`)
    expect((await call('GET', `/websites/${a}/group`)).body.group).toBeNull() // the group had another member
    await run('POST', `/websites/${b}/restore`)
    expect(await domainsOf(made.id)).toEqual(['back-b.example'])
  })
  it('is listed by owner, server and a member’s domain, ten at a time', async () => {
    expect((await call('GET', '/websites/groups')).body.items.length).toBeLessThanOrEqual(10)
    expect((await call('GET', '/websites/groups?domain=secon')).body.items).toMatchObject([
      { mainDomain: 'first.example' },
    ])
    expect((await call('GET', '/websites/groups?owner=3')).body.total).toBe(1)
    expect((await call('GET', `/groups/servers/${server}?user=3`)).body.items).toMatchObject([
      { mainDomain: 'first.example' },
    ])
    expect((await call('GET', '/groups/servers/999')).status).toBe(404)
  })
  it('is dissolved without effect on its websites', async () => {
    const made = await group(1, 'stays.example')
    expect((await call('DELETE', '/groups', { id: made.id })).status).toBe(204)
    expect((await call('GET', `/websites/${made.ids[0]}`)).body).toMatchObject({ groupId: null, status: 'active' })
  })
})
