import type { LogRow } from '@innkeeper/contract/access/log'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealNext } from '../../kit/audit/seal.ts'
import { checkOn } from '../../kit/audit/verifyChain.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'

let t: TestApp
let reader: string
let admin: { id: number; token: string }
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = await t.somebody('admin', 'Ingrid Solberg')
  reader = (await t.somebody(['logs:action-logs:read'], 'Rita Reader')).token
})
afterAll(() => t.close())

const read = async (query: string): Promise<LogRow[]> => {
  const { status, body } = await t.call('GET', `/api/logs?${query}`, { token: reader })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items
}
const last = async (query: string): Promise<LogRow> => (await read(query))[0]!

describe('a writing call', () => {
  it('is logged with the state before and after, without code in the handler', async () => {
    const made = await t.call('POST', '/api/cloud-management/servers', {
      token: admin.token,
      body: { name: 'web-9', type: 'web', note: 'rack 4' },
    })
    server = made.body.id
    await t.call('PATCH', `/api/cloud-management/servers/${server}`, { token: admin.token, body: { note: 'rack 5' } })
    expect(await last(`service_ids=server&actions=update&resource_id=${server}`)).toMatchObject({
      staffId: admin.id,
      subject: 'web-9',
      result: 'success',
      before: { note: 'rack 4' },
      after: { note: 'rack 5' },
    })
    const view = await t.call('POST', '/api/views', {
      token: admin.token,
      body: { list: 'a', name: 'Mine', filters: {} },
    })
    expect(await last(`resources=view&resource_id=${view.body.id}`)).toMatchObject({
      action: 'save',
      subject: null,
      before: null,
      after: { list: '(1 characters)', name: 'Mine' },
    })
  })
  it('logs a change of a row found by its key only', async () => {
    const save = (filters: object) =>
      t.call('POST', '/api/views', { token: admin.token, body: { list: 'a', name: 'Mine', filters } })
    const { body } = await save({ status: ['failed'] })
    await t.call('DELETE', `/api/views/${body.id}`, { token: admin.token })
    expect(await last(`resources=view&resource_id=${body.id}`)).toMatchObject({ action: 'remove', after: null })
  })
  it('never logs tokens from the answer', async () => {
    await t.call('POST', `/api/cloud-management/servers/${server}/enrol`, { token: admin.token })
    const rows = await read(`resource_id=${server}`)
    expect(JSON.stringify(rows)).not.toMatch(/enrol\/[\w-]{20}/)
    expect(rows.length).toBeGreaterThan(1)
  })
})

describe('a refused call', () => {
  it('is logged as denied with the name of its object, even if the call only reads', async () => {
    await t.call('PATCH', `/api/cloud-management/servers/${server}`, { token: reader, body: { note: 'mine' } })
    await t.call('GET', `/api/cloud-management/servers/view/${server}`, { token: reader })
    const denied = await read('results=denied')
    expect(denied.map(({ action }) => action)).toEqual(['read', 'update'])
    expect(denied[1]).toMatchObject({ staffName: 'Some Rita Reader', resourceId: String(server), subject: 'web-9' })
  })
  it('is logged with the reason if it failed', async () => {
    await t.call('PATCH', '/api/cloud-management/servers/999999', { token: admin.token, body: { note: 'x' } })
    expect(await last('results=failed')).toMatchObject({ before: null, after: { error: 'No server 999999' } })
  })
})

describe('the filters', () => {
  beforeAll(async () => {
    await t.app.db.execute(sql`insert into action_logs (at, staff_id, staff_name, service, action, resource, resource_id, website_id, subject, result, ip)
      select timestamptz '2020-01-01' + n * interval '1 hour', n % 5, 'Old hand', (array['dns', 'ssl', 'qa'])[1 + n % 3],
        (array['create', 'delete'])[1 + n % 2], case n when 99 then 'website' else 'zone' end, n::text, nullif(n % 9, 0), 'Zone-' || n || '.example', (array['success', 'failed', 'denied', 'success'])[1 + n % 4], '10.0.0.' || n % 7
      from generate_series(1, 300) n`)
  })
  const cases: [string, (row: LogRow) => boolean][] = [
    ['service_ids=dns', ({ service }) => service === 'dns'],
    ['service_ids=dns,ssl&actions=delete', ({ service, action }) => /dns|ssl/.test(service) && action === 'delete'],
    ['agents=3,4', ({ staffId }) => staffId === 3 || staffId === 4],
    ['agents=3&service_ids=qa&results=denied', (r) => r.staffId === 3 && r.service === 'qa' && r.result === 'denied'],
    ['results=failed,denied', ({ result }) => result !== 'success'],
    ['results=success,denied', ({ result }) => result !== 'failed'],
    ['results=success,denied,failed', () => true],
    ['ip=10.0.0.3', ({ ip }) => ip === '10.0.0.3'],
    ['text=ONE-12', ({ subject }) => /zone-12/i.test(subject ?? '')],
    ['text=zo', ({ subject }) => /^zo/i.test(subject ?? '')],
    ['text=%25', () => false],
    ['resource_id=77', ({ resourceId }) => resourceId === '77'],
    ['website=4', ({ resourceId }) => Number(resourceId) % 9 === 4],
    ['website=99', ({ resourceId }) => resourceId === '99'], // a row from before the column
    [
      'website=4&results=failed,denied',
      ({ resourceId, result }) => Number(resourceId) % 9 === 4 && result !== 'success',
    ],
    [
      'resources=zone&actions=create,delete&agents=1,2,3&service_ids=dns,ssl',
      (r) => [1, 2, 3].includes(r.staffId ?? 0) && r.service !== 'qa',
    ],
  ]
  const old = 'start_time=2020-01-01T00:00:00Z&end_time=2020-02-01T00:00:00%2B00:00'
  const all = async (query: string) => [
    ...(await read(`${query}&page_size=200&page=1`)),
    ...(await read(`${query}&page_size=200&page=2`)),
  ]

  it.each(cases)('%s matches exactly its rows, in both directions', async (query, fits) => {
    const expected = (await all(old)).filter(fits).map(({ id }) => id)
    expect((await all(`${old}&${query}`)).map(({ id }) => id)).toEqual(expected)
    expect((await all(`${old}&${query}&sort=ASC`)).map(({ id }) => id)).toEqual(expected.reverse())
    expect((await read(`${query}&page_size=1`)).length).toBe(Math.min(1, expected.length))
  })
  it('give the same pages by key as by number', async () => {
    const byNumber = (await all(`${old}&results=failed,denied`)).map(({ id }) => id)
    const byKey: number[] = []
    for (let page = 1, after: string | undefined = ''; after !== undefined; page += 1) {
      const query = `${old}&results=failed,denied&page_size=20&page=${page}&after=${after}`
      const { body }: { body: { items: LogRow[]; next?: string } } = await t.call('GET', `/api/logs?${query}`, {
        token: reader,
      })
      expect(body).toHaveProperty('items')
      byKey.push(...body.items.map(({ id }) => id))
      after = body.next
    }
    expect(byKey).toEqual(byNumber)
  })
  it('refuse unknown values', async () => {
    for (const query of ['results=odd', 'agents=x', 'start_time=yesterday', 'sort=staff'])
      expect((await t.call('GET', `/api/logs?${query}`, { token: reader })).status, query).toBe(400)
  })
  it('find the call with the number of an error message', async () => {
    const { body } = await t.call('PATCH', '/api/cloud-management/servers/999998', {
      token: admin.token,
      body: { note: 'x' },
    })
    expect(await read(`text=${body.requestId}`)).toHaveLength(1)
  })
})

describe('the open screen', () => {
  it('receives the number of new rows that match its filters', async () => {
    const top = await last('')
    await t.call('PATCH', `/api/cloud-management/servers/${server}`, { token: reader, body: { note: 'mine' } })
    const newer = async (query: string) =>
      (await t.call('GET', `/api/logs/newer?than=${top.id}&${query}`, { token: reader })).body
    expect(await newer('')).toEqual({ count: 1 })
    expect(await newer('results=denied')).toEqual({ count: 1 })
    expect(await newer('results=success')).toEqual({ count: 0 })
  })
  it('gets the known call names and staff for its filters', async () => {
    const { body } = await t.call('GET', '/api/logs/names', { token: reader })
    expect(body.services).toContain('website')
    expect(body.actions).toContain('verify')
    expect(body.staff).toContainEqual({ id: admin.id, name: 'Some Ingrid Solberg' })
  })
})

describe('the export', () => {
  it('contains every row that matches the filters, and no formula', async () => {
    await t.app.db.execute(sql`insert into action_logs (at, staff_name, service, action, subject, result)
      select '2019-01-01', '=cmd()', 'old', 'create', 'x', 'success' from generate_series(1, 1203)`)
    const answer = await t.http.inject({
      url: '/api/logs/csv?service_ids=old',
      headers: { authorization: `Bearer ${reader}` },
    })
    expect(answer.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' })
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="action-log-[\d-]+\.csv"/)
    const lines = answer.body.trim().split('\r\n')
    expect(lines).toHaveLength(1204)
    expect(lines[1]).toContain(",'=cmd(),")
    expect(new Set(lines).size).toBe(1204)
  })
})

describe('the check of the chain', () => {
  const verify = (whole: boolean) => t.call('POST', '/api/logs/chain/checks', { token: reader, body: { whole } })
  const chain = async () => (await t.call('GET', '/api/logs/chain', { token: reader })).body
  const finish = async () => {
    while (await checkOn(t.app.db));
  }
  const seal = async () => {
    while (await sealNext(t.app.db, 1_000_000));
  }

  it('covers the chain from the first seal to its end at the time of the request', async () => {
    expect(await chain()).toMatchObject({ sealed: 0, check: null, unsealed: 1000 })
    expect((await last('')).seal).toBeNull()
    await seal()
    const { sealed } = await chain()
    expect((await last('')).seal).toBeGreaterThan(0)
    const asked = await verify(false)
    expect(asked).toMatchObject({ status: 202, body: { whole: true, from: 0, upTo: sealed, endedAt: null } })
    expect((await verify(true)).body.id, 'one at a time').toBe(asked.body.id)
    await finish()
    const { check, whole, hash } = await chain()
    expect(check).toMatchObject({ position: sealed, endedAt: expect.any(String), broken: null })
    expect(whole.id).toBe(check.id)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
  })
  it('continues at the end of the previous check', async () => {
    await seal()
    const { sealed, whole } = await chain()
    expect((await verify(false)).body).toMatchObject({ whole: false, from: whole.upTo, upTo: sealed })
    await finish()
    expect((await chain()).check).toMatchObject({ position: sealed, broken: null })
  })
  it('names the first altered row, and reports a truncated end', async () => {
    await t.app.db.execute(sql`alter table action_logs disable trigger all`)
    await t.app.db.execute(sql`alter table action_log_seals disable trigger all`)
    const victim = await last('text=zone-12.example')
    await t.app.db.execute(sql`update action_logs set subject = 'Zone-13.example' where action_log_id = ${victim.id}`)
    await verify(true)
    await finish()
    expect((await chain()).check.broken).toEqual({ position: victim.seal, rowId: victim.id, reason: 'altered' })

    await t.app.db.execute(sql`update action_logs set subject = 'Zone-12.example' where action_log_id = ${victim.id}`)
    const { sealed } = await chain()
    await verify(true)
    await t.app.db.execute(sql`delete from action_log_seals where position = ${sealed}`)
    await finish()
    expect((await chain()).check.broken).toEqual({ position: sealed, rowId: null, reason: 'missing' })
  })
})
