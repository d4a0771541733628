import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'

let t: TestApp
let nora: { id: number; token: string }
let clerk: { id: number; token: string }
let chief: { id: number; token: string }
beforeAll(async () => {
  t = await openTestApp()
  nora = await t.somebody([], 'nora')
  clerk = await t.somebody(['employee:profile:read'], 'clerk')
  chief = await t.somebody(['employee:profile:read', 'employee:profile:update', 'employee:profile:create'], 'chief')
})
afterAll(() => t.close())

const at = '/api/employee-controller/profile'
const get = (path: string, token = nora.token) => t.call('GET', `${at}${path}`, { token })
const patch = (path: string, body: unknown, token = nora.token) => t.call('PATCH', `${at}${path}`, { token, body })

describe('one’s own profile', () => {
  it('requires a session only, and is empty before the first save', async () => {
    const { status, body } = await get(`/user/${nora.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      _id: nora.id,
      personalDetails: { firstName: 'Some', lastName: 'nora', image: null },
      profileConfig: { enabledDarkTheme: false, theme: null, showReviewedEscalations: false, quietHours: null },
    })
    expect((await get(`/user/${nora.id}/base`)).body).toEqual({ firstName: 'Some', lastName: 'nora' })
  })
  it('accepts telephone, birthday and time zone, and refuses a save of an old version with the stored profile', async () => {
    const { version } = (await get(`/user/${nora.id}`)).body
    const personalDetails = { phone: '+47 22 00 00 00', birthDate: '1990-02-28' }
    const saved = await patch(`/user/${nora.id}`, { personalDetails, timeZone: 'Europe/Oslo', version })
    expect(saved).toMatchObject({ status: 200, body: { timeZone: 'Europe/Oslo', personalDetails } })
    expect(await patch(`/user/${nora.id}`, { timeZone: null, version })).toMatchObject({
      status: 409,
      body: { current: { timeZone: 'Europe/Oslo', version: saved.body.version } },
    })
  })
  it.each([
    ['timeZone', { timeZone: 'Mars/Olympus' }],
    ['timeZone', { timeZone: "UTC'; drop table users" }],
    ['personalDetails.phone', { personalDetails: { phone: 'call me' } }],
    ['personalDetails.birthDate', { personalDetails: { birthDate: '2199-01-01' } }],
    ['hiredAt', { hiredAt: 'yesterday' }],
  ])('names the error beside %s', async (field, body) => {
    expect(await patch(`/user/${nora.id}`, body)).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
  })
  it('does not let people without the permission change their name and first day', async () => {
    for (const body of [{ personalDetails: { firstName: 'First' } }, { hiredAt: '2020-01-01' }])
      expect(await patch(`/user/${nora.id}`, body)).toMatchObject({
        status: 403,
        body: { message: 'Needs “Change profiles”' },
      })
    expect((await get(`/user/${nora.id}`)).body.personalDetails.firstName).toBe('Some')
  })
})

describe('another person’s profile', () => {
  it('requires the permission; without it, existing and missing people get the same answer', async () => {
    for (const path of [`/user/${nora.id}`, `/user/${nora.id}/base`]) {
      expect((await get(path, clerk.token)).status).toBe(200)
      const [foreign, nobody] = [await get(path, (await t.somebody([])).token), await get('/user/99999', nora.token)]
      expect(foreign).toMatchObject({ status: 403, body: { message: 'Needs “See profiles”' } })
      expect(nobody.body.message).toBe(foreign.body.message)
    }
    expect((await get('/user/99999', clerk.token)).status).toBe(404)
    expect((await patch(`/user/${nora.id}`, { hiredAt: '2020-01-01' }, clerk.token)).status).toBe(403)
  })
  it('can be renamed with the permission; open sessions show the new name', async () => {
    const gro = await t.somebody([], 'gro')
    expect((await patch(`/user/${gro.id}`, { personalDetails: { lastName: 'Harlem' } }, chief.token)).status).toBe(200)
    await expect
      .poll(async () => (await t.call('GET', '/api/auth/validate', { token: gro.token })).body.user.name)
      .toBe('Some Harlem')
  })
  it('is created once; a second creation is refused with the stored profile', async () => {
    const odd = await t.somebody([], 'odd')
    const body = { userId: odd.id, hiredAt: '2021-03-01', timeZone: 'Europe/Berlin' }
    expect(await t.call('POST', at, { token: chief.token, body })).toMatchObject({
      status: 201,
      body: { _id: odd.id, hiredAt: '2021-03-01' },
    })
    expect(await t.call('POST', at, { token: chief.token, body })).toMatchObject({
      status: 409,
      body: { current: { hiredAt: '2021-03-01' } },
    })
    const nobody = { ...body, userId: 99999 }
    expect((await t.call('POST', at, { token: chief.token, body: nobody })).status).toBe(404)
  })
  it('is listed by page, by search, and by ids in their order', async () => {
    const { body } = await get('?search=CLERK', clerk.token)
    expect(body).toMatchObject({ total: 1, items: [{ _id: clerk.id, username: 'clerk' }] })
    for (const name of ['pager-a', 'pager-b', 'pager-c']) await t.somebody([], name)
    const query = '?search=pager&itemsPerPage=2&sort=username&direction=DESC'
    const usernames = (page: { items: { username: string }[] }) => page.items.map(({ username }) => username)
    const first = (await get(query, clerk.token)).body
    expect(usernames(first)).toEqual(['pager-c', 'pager-b'])
    expect(usernames((await get(`${query}&page=2&after=${first.next}`, clerk.token)).body)).toEqual(['pager-a'])
    const byIds = (ids: number[]) => t.call('POST', `${at}/users-ids`, { token: clerk.token, body: { ids } })
    expect((await byIds([nora.id, 99999, clerk.id])).body.items.map((p: { _id: number }) => p._id)).toEqual([
      nora.id,
      clerk.id,
    ])
    expect(await byIds([])).toEqual({ status: 200, body: { items: [] } })
  })
})

describe('settings', () => {
  it('of other people cannot be read or changed, even by an administrator', async () => {
    const admin = await t.somebody('admin')
    expect((await patch(`/${nora.id}/config`, { enabledDarkTheme: true }, admin.token)).status).toBe(404)
  })
  it('include theme and time zone, which the session returns', async () => {
    const session = async () => (await t.call('GET', '/api/auth/validate', { token: nora.token })).body
    expect((await session()).preferences.theme).toBeNull()
    await patch(`/${nora.id}/config`, { enabledDarkTheme: true, showReviewedEscalations: true })
    expect(await session()).toMatchObject({
      user: { darkTheme: true, showReviewedEscalations: true },
      preferences: { theme: 'dark', timeZone: 'Europe/Oslo' },
    })
    await patch(`/${nora.id}/config`, { enabledDarkTheme: false })
    expect(await session()).toMatchObject({ user: { darkTheme: false }, preferences: { theme: 'light' } })
  })
  it('are taken without a change within an object', async () => {
    expect((await patch(`/${nora.id}/config`, { locale: {} })).status).toBe(200)
  })
  it('do not change the version of the profile', async () => {
    const { version } = (await get(`/user/${nora.id}`)).body
    await patch(`/${nora.id}/config`, { quietHours: { from: '22:00', to: '07:00' } })
    expect((await patch(`/user/${nora.id}`, { timeZone: 'Europe/Oslo', version })).status).toBe(200)
  })
  it.each([
    [{ quietHours: { from: '25:00', to: '07:00' } }],
    [{ quietHours: { from: '07:00', to: '07:00' } }],
    [{ deliveries: { rights: 'off' } }],
    [{ deliveries: { weather: 'toast' } }],
  ])('refuse %j', async (body) => {
    expect((await patch(`/${nora.id}/config`, body)).status).toBe(400)
  })
})

describe('a picture', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
    'base64',
  )
  async function send(who: { id: number; token: string }, image: Buffer, fields: Record<string, unknown> = {}) {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.append(key, JSON.stringify(value))
    form.append('image', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'me.png')
    const request = new Request('http://x', { method: 'POST', body: form })
    const answer = await t.http.inject({
      method: 'PATCH',
      url: `${at}/user/${who.id}`,
      headers: {
        authorization: `Bearer ${who.token}`,
        'content-type': request.headers.get('content-type') ?? '',
      },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const shown = (image: string) => t.http.inject({ method: 'GET', url: `/api/internal-file-manager/public/${image}` })

  it('is uploaded together with fields as JSON, served to all staff, and replaced by the next picture', async () => {
    const mia = await t.somebody([], 'mia')
    const first = await send(mia, png, { personalDetails: { phone: '+47 22 33 44 55' }, timeZone: 'Europe/Oslo' })
    expect(first).toMatchObject({
      status: 200,
      body: { timeZone: 'Europe/Oslo', personalDetails: { phone: '+47 22 33 44 55', image: expect.any(String) } },
    })
    const { image } = first.body.personalDetails
    const answer = await shown(image)
    expect([answer.statusCode, answer.rawPayload.equals(png)]).toEqual([200, true])
    const { user } = (await t.call('GET', '/api/auth/validate', { token: mia.token })).body
    expect(user.profileImage).toBe(image)
    const second = (await send(mia, png)).body.personalDetails.image
    expect([(await shown(image)).statusCode, (await shown(second)).statusCode]).toEqual([404, 200])
    const bare = await patch(`/user/${mia.id}`, { removeImage: true }, mia.token)
    expect(bare.body.personalDetails.image).toBeNull()
    expect((await shown(second)).statusCode).toBe(404)
  })
  it('is checked by content and size, not by its file name', async () => {
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    expect(await send(nora, script)).toMatchObject({ status: 422, body: { fields: { image: expect.any(String) } } })
    const huge = Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)])
    expect(await send(nora, huge)).toMatchObject({ status: 413, body: { fields: { image: expect.any(String) } } })
    expect((await get(`/user/${nora.id}`)).body.personalDetails.image).toBeNull()
  })
  it('is refused if a small file has huge dimensions or no dimensions', async () => {
    const wide = Buffer.from(png)
    wide.writeUInt32BE(4097, 16)
    expect(await send(nora, wide)).toMatchObject({
      status: 413,
      body: { fields: { image: '4097 × 1 pixels; at most 4096 × 4096' } },
    })
    const most = Buffer.from(png)
    most.writeUInt32BE(4096, 16)
    most.writeUInt32BE(4096, 20)
    const tor = await t.somebody([], 'tor')
    expect((await send(tor, most)).status).toBe(200)
    const silent = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(300_000)])
    expect(await send(nora, silent)).toMatchObject({ status: 422, body: { fields: { image: expect.any(String) } } })
    expect((await get(`/user/${nora.id}`)).body.personalDetails.image).toBeNull()
  })
})
