import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { workflows } from '../../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { begin } from '../../../test/work.ts'

/** A client written from RFC 7644. */
let t: TestApp
let admin = ''
let adminId = 0
let token = ''
let providerId = 0
let role = 0
beforeAll(async () => {
  t = await openTestApp()
  ;({ token: admin, id: adminId } = await t.somebody('admin', 'root'))
  role = (await api('POST', '/roles', { name: 'Readers', scopes: ['website:website:read'] })).id
  const provider = { name: 'Company', issuer: 'https://id.example.org', clientId: 'innkeeper' }
  const mappings = [{ group: 'Support', roleId: role, departmentId: null }]
  providerId = (await api('POST', '/providers', { ...provider, mappings })).id
  ;({ token } = await api('POST', `/providers/${providerId}/scim-token`))
})
afterAll(() => t.close())

const api = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
  const answer = await t.call(method, `/api/auth${path}`, { token: admin, ...(body !== undefined && { body }) })
  if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
async function scim(method: Method, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await t.http.inject({
    ...{ method, url: `/scim/v2${path}` },
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return {
    status: answer.statusCode,
    etag: String(answer.headers.etag ?? ''),
    type: String(answer.headers['content-type'] ?? ''),
    body: answer.body ? answer.json() : undefined,
  }
}
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const person = (name: string, more: object = {}) => ({
  schemas: [USER],
  userName: name,
  externalId: `ext-${name}`,
  name: { givenName: name, familyName: 'Berg' },
  emails: [{ value: `${name}@example.org`, type: 'work', primary: true }],
  active: true,
  ...more,
})
const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})
const made = async (name: string, more: object = {}) =>
  (await scim('POST', '/Users', person(name, more))).body.id as string
const roleOf = async (id: string) =>
  (
    await rows<{ role: number | null }>(t.app.db, sql`select role_id as role from users where user_id = ${Number(id)}`)
  )[0]?.role

describe('the service', () => {
  it('describes itself', async () => {
    const config = await scim('GET', '/ServiceProviderConfig')
    expect(config).toMatchObject({ status: 200, type: expect.stringContaining('application/scim+json') })
    expect(config.body).toMatchObject({
      patch: { supported: true },
      etag: { supported: true },
      bulk: { supported: false },
    })
    expect((await scim('GET', '/ResourceTypes')).body.Resources).toHaveLength(2)
    expect((await scim('GET', `/Schemas/${USER}`)).body.name).toBe('User')
  })
  it('admits nobody without the token of a provider, and a dropped token no longer', async () => {
    for (const authorization of ['', 'Bearer x', `Bearer ${admin}`, `Bearer innkeeper_scim_${'A'.repeat(43)}`]) {
      const answer = await scim('GET', '/Users', undefined, { authorization })
      expect(answer).toMatchObject({
        status: 401,
        body: { status: '401', schemas: [expect.stringContaining('Error')] },
      })
    }
    const before = token
    ;({ token } = await api('POST', `/providers/${providerId}/scim-token`))
    expect((await scim('GET', '/Users', undefined, { authorization: `Bearer ${before}` })).status).toBe(401)
    const stored = JSON.stringify(await rows(t.app.db, sql`select * from identity_providers`))
    expect(stored).not.toContain(token)
    expect((await t.call('GET', '/api/auth/validate', { token })).status).toBe(401) // opens nothing else
  })
  it('answers errors in its own form', async () => {
    expect(await scim('POST', '/Users', '{')).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } })
    expect(await scim('POST', '/Users', `${'['.repeat(500)}${']'.repeat(500)}`)).toMatchObject({ status: 400 })
    expect(await scim('POST', '/Users', `"${'x'.repeat(600_000)}"`)).toMatchObject({ status: 413 })
    expect(await scim('POST', '/Users', {})).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await scim('GET', '/Users/999999')).toMatchObject({ status: 404, body: { status: '404' } })
    expect(await scim('GET', '/Nothing')).toMatchObject({ status: 404, body: { status: '404' } })
    for (const filter of [
      'userName co "a"',
      'userName eq "a" and active eq true',
      'password eq "x"',
      `userName eq "${'a'.repeat(600)}"`,
    ])
      expect(await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).toMatchObject({
        status: 400,
        body: { scimType: 'invalidFilter' },
      })
  })
})

describe('a joiner', () => {
  it('is made, found, and made only once', async () => {
    const answer = await scim('POST', '/Users', person('anna'))
    expect(answer).toMatchObject({ status: 201, body: { userName: 'anna', active: true, displayName: 'anna Berg' } })
    const { id } = answer.body
    expect(answer.etag).toBe(answer.body.meta.version)
    expect(await scim('POST', '/Users', person('anna'))).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
    for (const filter of ['userName eq "ANNA"', 'externalId eq "ext-anna"', `${USER}:userName eq "anna"`]) {
      const found = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    }
    expect((await scim('GET', `/Users?filter=${encodeURIComponent('userName eq "root"')}`)).body.totalResults).toBe(0)
    expect((await scim('GET', `/Users/${adminId}`)).status).toBe(404) // accounts of others are unknown to it
    expect(
      (await scim('PATCH', `/Users/${adminId}`, patch({ op: 'replace', path: 'active', value: false }))).status,
    ).toBe(404)
  })
  it('gets no account of somebody else, unless the rule links by address', async () => {
    const { id } = await t.somebody([], 'owner')
    expect((await scim('POST', '/Users', person('owner'))).status).toBe(409)
    await api('PATCH', `/providers/${providerId}`, { linksByEmail: true })
    expect(await scim('POST', '/Users', person('owner'))).toMatchObject({ status: 201, body: { id: String(id) } })
    await api('PATCH', `/providers/${providerId}`, { linksByEmail: false })
  })
  it('is on one page of a list', async () => {
    for (const n of [1, 2, 3]) await made(`page${n}`)
    const all = (await scim('GET', '/Users')).body.totalResults as number
    const second = (await scim('GET', '/Users?startIndex=2&count=2')).body
    expect(second).toMatchObject({ totalResults: all, startIndex: 2, itemsPerPage: 2 })
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ totalResults: all, Resources: [] })
    expect((await scim('GET', '/Users?startIndex=-5&count=x')).body.startIndex).toBe(1)
  })
})

describe('a mover', () => {
  it('changes by PUT and by PATCH in the forms of several providers', async () => {
    const id = await made('bert')
    const change = (...operations: object[]) => scim('PATCH', `/Users/${id}`, patch(...operations))
    expect((await change({ op: 'Replace', path: 'name.familyName', value: 'Dahl' })).body.name.familyName).toBe('Dahl')
    expect((await change({ op: 'replace', value: { 'name.givenName': 'Berit' } })).body.displayName).toBe('Berit Dahl')
    const mail = await change({ op: 'Add', path: 'emails[type eq "work"].value', value: 'berit@example.org' })
    expect(mail.body.emails).toEqual([{ value: 'berit@example.org', type: 'work', primary: true }])
    expect((await change({ op: 'replace', value: { userName: 'berit' } })).body.userName).toBe('berit')
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'
    expect((await change({ op: 'add', path: enterprise, value: 'Support' })).status).toBe(200)
    const put = await scim('PUT', `/Users/${id}`, person('berit', { displayName: 'Ignored' }))
    expect(put.body).toMatchObject({ name: { givenName: 'berit' }, emails: [{ value: 'berit@example.org' }] })
    for (const bad of [
      { op: 'move', path: 'active', value: true },
      { op: 'replace', path: 'emails[', value: 'x' },
      { op: 'remove' },
      { op: 'replace', path: 'userName', value: 'not a name' },
    ])
      expect((await change(bad)).status).toBe(400)
    expect((await scim('PATCH', `/Users/${id}`, patch())).status).toBe(400)
  })
  it('is not overwritten by a provider that saw an older version', async () => {
    const id = await made('carl')
    const { etag } = await scim('GET', `/Users/${id}`)
    expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304)
    const rename = (name: string) => patch({ op: 'replace', path: 'name.givenName', value: name })
    const first = await scim('PATCH', `/Users/${id}`, rename('One'), { 'if-match': etag })
    expect(first.status).toBe(200)
    expect(first.etag).not.toBe(etag)
    expect((await scim('PATCH', `/Users/${id}`, rename('Two'), { 'if-match': etag })).status).toBe(412)
  })
  it('gets and loses the role of a mapped group, and nothing else', async () => {
    const [one, two] = [await made('dora'), await made('emil')]
    const group = await scim('POST', '/Groups', { displayName: 'Support', externalId: 'g1', members: [{ value: one }] })
    expect(group).toMatchObject({ status: 201, body: { members: [{ value: one }] } })
    const { id } = group.body
    expect([await roleOf(one), await roleOf(two)]).toEqual([role, null])
    const change = (...operations: object[]) => scim('PATCH', `/Groups/${id}`, patch(...operations))
    await change({ op: 'Add', path: 'members', value: [{ value: two }] })
    expect(await roleOf(two)).toBe(role)
    expect((await scim('GET', `/Users/${two}`)).body.groups).toEqual([{ value: id, display: 'Support' }])
    expect((await change({ op: 'Remove', path: `members[value eq "${one}"]` })).status).toBe(200)
    expect([await roleOf(one), await roleOf(two)]).toEqual([null, role])
    await change({ op: 'Remove', path: 'members', value: [{ value: two }] })
    expect(await roleOf(two)).toBeNull()
    await change({ op: 'add', path: 'members', value: [{ value: two }] })
    await change({ op: 'replace', path: 'displayName', value: 'Renamed' })
    expect(await roleOf(two)).toBeNull()
    expect((await change({ op: 'add', path: 'members', value: [{ value: String(adminId) }] })).status).toBe(400)
    const found = await scim(
      'GET',
      `/Groups?filter=${encodeURIComponent('displayName eq "renamed"')}&excludedAttributes=members`,
    )
    expect(found.body.Resources[0]).not.toHaveProperty('members')
    await change({ op: 'replace', path: 'displayName', value: 'Support' })
    expect(await roleOf(two)).toBe(role)
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect(await roleOf(two)).toBeNull()
  })
  it('ends what was elevated besides with the role of the group; the work that was begun goes on', async () => {
    const id = await made('nils')
    const { id: group } = (await scim('POST', '/Groups', { displayName: 'Support', members: [{ value: id }] })).body
    const session = await sessionOf(id)
    const zones = async () => (await t.call('GET', '/api/dns/zones', { token: session })).status
    const asked = { scopes: ['dns:zone:read'], minutes: 60, reason: 'A zone is broken' }
    const { body: elevation } = await t.call('POST', '/api/auth/elevations', { token: session, body: asked })
    await api('POST', `/elevations/${elevation.id}/grant`, {})
    await expect.poll(zones).toBe(200)
    const workflow = await begin(t.app.db, { startedById: Number(id) })
    await scim('PATCH', `/Groups/${group}`, patch({ op: 'remove', path: `members[value eq "${id}"]` }))
    expect(await roleOf(id)).toBeNull()
    await expect.poll(zones).toBe(403)
    const [ended] = await rows(t.app.db, sql`select ending from elevations where elevation_id = ${elevation.id}`)
    expect(ended).toEqual({ ending: 'rights' })
    const going = await t.app.db.select().from(workflows).where(eq(workflows.id, workflow))
    expect(going).toMatchObject([{ status: 'running', startedById: Number(id) }])
    await scim('DELETE', `/Groups/${group}`)
  })
})

const sessionOf = async (id: string) => t.app.sessions.open(t.app.db, Number(id), { ip: null, userAgent: null })

describe('a leaver', () => {
  const leave = (id: string, value: unknown = false) =>
    scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value }))

  let leavers = 0
  it.each([false, 'False', 'false'])('with active %j is suspended at once, and may come back', async (value) => {
    const id = await made(`leaver${++leavers}`)
    const session = await sessionOf(id)
    expect((await t.call('GET', '/api/auth/validate', { token: session })).status).toBe(200)
    expect(await leave(id, value)).toMatchObject({ status: 200, body: { active: false } })
    await expect.poll(async () => (await t.call('GET', '/api/auth/validate', { token: session })).status).toBe(401)
    expect(await leave(id, 'True')).toMatchObject({ status: 200, body: { active: true } })
  })
  /** A shift of this person tomorrow. */
  async function shiftOf(id: string): Promise<number> {
    const type = { name: `Day of ${id}`, startTime: '08:00', endTime: '16:00' }
    const { body } = await t.call('POST', '/api/calendar/shifts/type', { token: admin, body: type })
    const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const shift = { userId: Number(id), shiftTypeId: body.id, date }
    return (await t.call('POST', '/api/calendar/shifts', { token: admin, body: shift })).body.id
  }
  it('keeps the shift of tomorrow while suspended, of which administrators hear; a deletion opens the shift', async () => {
    const id = await made('karl')
    const shift = await shiftOf(id)
    const holder = async () => rows(t.app.db, sql`select user_id as of, status from shifts where shift_id = ${shift}`)
    expect((await leave(id)).status).toBe(200)
    expect(await holder()).toMatchObject([{ of: Number(id) }])
    const [told] = await rows(
      t.app.db,
      sql`select title, body from notifications where user_id = ${adminId} and reason = 'handover' order by 1 desc limit 1`,
    )
    expect(told).toMatchObject({
      title: 'Company suspended karl Berg, who still holds records',
      body: expect.stringContaining('Shifts ahead, which become open: 1'),
    })
    expect((await leave(id, true)).status).toBe(200)
    await api('PATCH', `/providers/${providerId}`, { leavers: 'delete', heirId: adminId })
    expect((await leave(id)).status).toBe(200)
    expect(await holder()).toMatchObject([{ of: null, status: 'open' }])
    await api('PATCH', `/providers/${providerId}`, { leavers: 'suspend' })
  })
  it('is deleted by rule, and the heir gets the records as when staff delete the account', async () => {
    expect(
      await t.call('PATCH', `/api/auth/providers/${providerId}`, {
        token: admin,
        body: { leavers: 'delete', heirId: null },
      }),
    ).toMatchObject({
      status: 422,
      body: { fields: { heirId: expect.any(String) } },
    })
    await api('PATCH', `/providers/${providerId}`, { leavers: 'delete', heirId: adminId })
    const id = await made('fred')
    const started = {
      kind: 'website.create',
      subjectType: 'website',
      subjectName: 'x.example',
      startedById: Number(id),
    }
    await t.app.db.insert(workflows).values({ ...started, subjectId: 1, holder: 'fred Berg' })
    expect(await leave(id)).toMatchObject({ status: 200, body: { active: false } })
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
    const [passed] = await t.app.db.select().from(workflows).where(eq(workflows.subjectName, 'x.example'))
    expect(passed).toMatchObject({ startedById: adminId, holder: 'Some root' })
    const again = await scim('POST', '/Users', person('fred'))
    expect(again.status).toBe(201) // a new account for somebody who comes back
    expect(again.body.id).not.toBe(id)
    expect((await scim('DELETE', `/Users/${again.body.id}`)).status).toBe(204)
    await api('PATCH', `/providers/${providerId}`, { leavers: 'suspend' })
  })
  it('removed from the provider is suspended, loses what the mapping gave, and is no longer seen', async () => {
    const id = await made('gina')
    const group = (await scim('POST', '/Groups', { displayName: 'Support', members: [{ value: id }] })).body.id
    expect(await roleOf(id)).toBe(role)
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
    expect(await roleOf(id)).toBeNull()
    const [row] = await rows<{ gone: boolean }>(
      t.app.db,
      sql`select suspended_at is not null as gone from users where user_id = ${Number(id)}`,
    )
    expect(row?.gone).toBe(true)
    await scim('DELETE', `/Groups/${group}`)
  })
  it('who is the last administrator stays, and the provider reads why', async () => {
    const id = await made('hugo')
    await t.app.db.execute(sql`update users set is_admin = user_id = ${Number(id)}`)
    expect(await leave(id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('last administrator') },
    })
    await t.app.db.execute(sql`update users set is_admin = user_id = ${adminId}`)
  })
  it('is in the action log, under the name of the provider', async () => {
    const [row] = await rows<{ n: number }>(
      t.app.db,
      sql`select count(*)::int as n from action_logs where staff_name = 'Company' and service = 'users' and resource = 'user'`,
    )
    expect(row?.n).toBeGreaterThan(10)
  })
})
