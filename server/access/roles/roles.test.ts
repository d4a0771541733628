import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'

let t: TestApp
let token: string
beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin', 'root')).token
})
afterAll(() => t.close())

const call = (method: Parameters<TestApp['call']>[0], path: string, body?: unknown) =>
  t.call(method, `/api/auth${path}`, { token, ...(body !== undefined && { body }) })
let n = 0
const role = async (scopes: string[]) => (await call('POST', '/roles', { name: `Role ${++n}`, scopes })).body
/** Creates a person with this role. */
const holder = async (id: number) => {
  const person = await t.somebody([])
  await call('PATCH', '/roles/users', { users: [person.id], role: id })
  return person
}

describe('a role', () => {
  it('contains only permissions of the catalogue, each once', async () => {
    expect((await call('POST', '/roles', { name: 'Odd', scopes: ['no:such:thing'] })).status).toBe(400)
    const made = await call('POST', '/roles', { name: 'Twice', scopes: ['dns:zone:read', 'dns:zone:read'] })
    expect(made).toMatchObject({ status: 201, body: { scopes: ['dns:zone:read'] } })
  })
  it('begins without permissions when none are named', async () => {
    expect(await call('POST', '/roles', { name: 'Bare' })).toMatchObject({ status: 201, body: { scopes: [] } })
  })
  it('has a unique name among existing roles', async () => {
    const { id, name } = await role([])
    const twin = () => call('POST', '/roles', { name: name.toUpperCase(), scopes: [] })
    expect(await twin()).toMatchObject({ status: 409, body: { fields: { name: expect.any(String) } } })
    expect((await call('DELETE', '/roles/', { id })).status).toBe(204)
    expect((await twin()).status).toBe(201)
  })
  it('answers 409 with the stored role if somebody else has changed it', async () => {
    const { id, version } = await role(['dns:zone:read'])
    const save = (scopes: string[]) => call('PATCH', `/roles/${id}`, { scopes, version })
    expect((await save([])).status).toBe(200)
    expect(await save(['dns:zone:delete'])).toMatchObject({ status: 409, body: { current: { scopes: [] } } })
  })
  it('is not deleted while people have it; the error names these people', async () => {
    const { id } = await role([])
    await holder(id)
    expect(await call('DELETE', '/roles', { id })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Some person'), current: { people: 1 } },
    })
  })
  it('previews the permissions that a change gives and takes, with the number of affected people', async () => {
    const { id } = await role(['dns:zone:read', 'dns:zone:delete'])
    await holder(id)
    await holder(id)
    const { body } = await call('POST', `/roles/${id}/preview`, { scopes: ['dns:zone:read', 'dns:zone:create'] })
    expect(body).toEqual({
      people: 2,
      gives: [{ scope: 'dns:zone:create', people: 2 }],
      takes: [{ scope: 'dns:zone:delete', people: 2 }],
    })
  })
  it('previews the same for people who get another role; administrators are not affected', async () => {
    const [from, to] = [await role(['dns:zone:read', 'dns:zone:delete']), await role(['dns:zone:read'])]
    const users = [(await holder(from.id)).id, (await t.somebody([])).id, (await t.somebody('admin')).id]
    const { body } = await call('POST', '/roles/users/preview', { users, role: to.id })
    expect(body).toEqual({
      people: 2,
      gives: [{ scope: 'dns:zone:read', people: 1 }],
      takes: [{ scope: 'dns:zone:delete', people: 1 }],
    })
    expect((await call('PATCH', '/roles/users', { users, role: to.id })).body).toEqual(body)
  })
  it('applies to its people immediately, and so does its removal', async () => {
    const { id } = await role(['website:website:read'])
    const person = await holder(id)
    const ask = async () => (await t.call('GET', '/api/websites', { token: person.token })).status
    await expect.poll(ask).toBe(200)
    await call('PATCH', `/roles/${id}`, { scopes: [] })
    await expect.poll(ask).toBe(403)
  })
  it('is offered to its department; a role without a department is offered to all', async () => {
    const department = async (name: string) => (await call('POST', '/departments', { name })).body.id
    const [here, there] = [await department('Here'), await department('There')]
    const made = async (name: string, departmentId: number | null) =>
      (await call('POST', '/roles', { name, scopes: [], departmentId })).body.id
    const [own, all, other] = [await made('Own', here), await made('All', null), await made('Other', there)]
    const { body } = await call('GET', `/roles/department/${here}?itemsPerPage=200`)
    const ids = body.items.map(({ id }: { id: number }) => id)
    expect(ids).toEqual(expect.arrayContaining([own, all]))
    expect(ids).not.toContain(other)
    expect(await call('DELETE', '/departments', { id: here })).toMatchObject({ status: 409 })
  })
})

describe('a department', () => {
  it('adds and removes people, who belong to one department at a time', async () => {
    const make = async (name: string) => (await call('POST', '/departments', { name })).body
    const [one, two] = [await make('One'), await make('Two')]
    const { id } = await t.somebody([])
    const people = async (department: { id: number }) =>
      (await call('GET', `/departments/${department.id}`)).body.people
    expect((await call('PATCH', `/departments/${one.id}`, { add: [id] })).body.people).toBe(1)
    expect((await call('PATCH', `/departments/${two.id}`, { add: [id] })).body.people).toBe(1)
    expect(await people(one)).toBe(0)
    expect(await call('DELETE', '/departments', { id: two.id })).toMatchObject({ status: 409 })
    expect((await call('PATCH', `/departments/${two.id}`, { remove: [id] })).body.people).toBe(0)
    expect((await call('DELETE', '/departments', { id: two.id })).status).toBe(204)
    expect(await call('PATCH', `/departments/${one.id}`, { add: [999_999] })).toMatchObject({ status: 422 })
  })
  it('is listed alone if its id is given, otherwise with all others', async () => {
    const { body } = await call('POST', '/departments', { name: 'Alone' })
    const { body: found } = await call('GET', `/departments?ids[]=${body.id}&ids[]=999999`)
    expect(found.items.map(({ id }: { id: number }) => id)).toEqual([body.id])
    expect((await call('GET', '/departments')).body.total).toBeGreaterThan(1)
  })
})
