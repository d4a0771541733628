import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { unknownIn } from './unknownFields.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

it('reads no body at an address that does not exist', async () => {
  // a body that was read would be refused as no JSON
  expect(await test.call('POST', '/api/no/such/call', { raw: '{"' })).toMatchObject({ status: 404 })
})

it('refuses values that are deep within each other before it parses them', async () => {
  const { token } = await test.somebody('admin')
  const deep = (open: string, close: string) => `${open.repeat(65)}1${close.repeat(65)}`
  for (const raw of [deep('[', ']'), deep('{"a":', '}'), '['.repeat(1_000_000)])
    expect(await test.call('POST', '/api/auth/departments', { token, raw })).toMatchObject({
      status: 400,
      body: { message: 'More than 64 values within each other' },
    })
  const brackets = JSON.stringify({ name: `"\\"${'['.repeat(70)}` })
  const read = await test.call('POST', '/api/auth/departments', { token, raw: brackets })
  expect(read.status).toBeLessThan(300)
})

it('refuses objects with thousands of fields before it parses them, and not as many objects', async () => {
  const { token } = await test.somebody('admin')
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `"f${n}":{"a:":"b:"}`).join(',')
  const refusal = { status: 400, body: { message: 'More than 5000 fields in one object' } }
  for (const raw of [`{${fields(5001)}}`, `{"create":[{"b":{${fields(5001)}}}]}`])
    expect(await test.call('PATCH', '/api/dns/records', { token, raw })).toMatchObject(refusal)
  const raw = JSON.stringify({ zoneId: 1, create: Array.from({ length: 6000 }, () => ({ name: 'www' })) })
  expect((await test.call('PATCH', '/api/dns/records', { token, raw })).body).not.toMatchObject(refusal.body)
})

it('names some of thousands of unknown fields and wrong values', async () => {
  const { token } = await test.somebody('admin')
  const many = (value: unknown) => JSON.stringify({ zoneId: 1, create: Array.from({ length: 5000 }, () => value) })
  for (const [value, most] of [
    [{ strange: 1 }, 250],
    [{ name: 1 }, 200],
  ] as const) {
    const { status, body } = await test.call('PATCH', '/api/dns/records', { token, raw: many(value) })
    expect([status, Object.keys(body.fields).length <= most]).toEqual([400, true])
  }
})

it('refuses a body in another encoding, whose letters would become other ones', async () => {
  const { token } = await test.somebody('admin')
  const raw = Buffer.from('{"name":"Caf\u00e9 and caf"}', 'latin1')
  expect(await test.call('POST', '/api/auth/departments', { token, raw })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('not in UTF-8') },
  })
})

describe('a field that the call does not take', () => {
  const fieldsOf = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const { token } = await test.somebody('admin')
    const answer = await test.call(method, path, { token, ...(body && { body }) })
    return { status: answer.status, fields: answer.body.fields }
  }

  it('is refused beside its name, and nothing is stored', async () => {
    const made = await fieldsOf('POST', '/api/auth/departments', { name: 'Refused', nmae: 'x', __proto: 1 })
    expect(made).toEqual({
      status: 400,
      fields: { nmae: 'This call has no such field', __proto: 'This call has no such field' },
    })
    const { token } = await test.somebody('admin')
    const list = await test.call('GET', '/api/auth/departments', { token })
    expect(JSON.stringify(list.body)).not.toContain('Refused')
  })

  it('is refused within lists and objects, with its path', async () => {
    const records = { zoneId: 1, create: [{ name: 'www', type: 'A', ttl: 300, content: '192.0.2.1', priorty: 5 }] }
    expect(await fieldsOf('PATCH', '/api/dns/records', records)).toMatchObject({
      status: 400,
      fields: { 'create.0.priorty': 'This call has no such field' },
    })
  })

  it('is refused where a call takes no body, while fields of the path may be repeated', async () => {
    expect(await fieldsOf('PATCH', '/api/websites/7/retry', { force: true })).toMatchObject({
      status: 400,
      fields: { force: 'This call has no such field' },
    })
    expect((await fieldsOf('PATCH', '/api/websites/7/retry', { id: 7 })).status).toBe(404)
  })

  it('of an address is refused, because a misspelt filter would list everything', async () => {
    expect(await fieldsOf('GET', '/api/dns/zones?serach=example')).toEqual({
      status: 400,
      fields: { serach: 'This call has no such parameter' },
    })
    expect((await fieldsOf('GET', '/api/dns/zones?serach=')).status).toBe(200)
    expect((await fieldsOf('GET', '/api/auth/ways?utm_source=mail')).status).toBe(200)
  })
})

it('finds unknown fields in each kind of schema', () => {
  const one = z.object({ kind: z.literal('a'), a: z.string() })
  const other = z.object({ kind: z.literal('b'), b: z.string().optional() })
  const inner = z.object({ x: z.int().optional() })
  const schema = z.object({
    union: z.discriminatedUnion('kind', [one, other]).optional(),
    free: z.unknown(),
    map: z.record(z.string(), inner).optional(),
    pair: z.tuple([inner, z.string()]).optional(),
    piped: z.preprocess((value) => value, inner.nullish()),
    loose: z.looseObject({}).optional(),
  })
  const value = {
    union: { kind: 'b', a: 'of the other kind' },
    free: { any: 1 },
    map: { key: { x: 1, y: 2 } },
    pair: [{ z: 1 }, 'x'],
    piped: { x: 1, w: 2 },
    loose: { any: 1 },
  }
  expect(unknownIn(schema, value)).toEqual(['union.a', 'map.key.y', 'pair.0.z', 'piped.w'])
})

it('looks for unknown fields no further than people read, and not where none can be', () => {
  const looked = { items: 0 }
  const seen = (of: unknown[]) =>
    new Proxy(of, {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) looked.items++
        return Reflect.get(target, key) as unknown
      },
    })
  const schema = z.object({ ids: z.array(z.int()), rows: z.array(z.object({ a: z.int() })) })
  const million = (value: unknown) => seen(Array.from({ length: 100_000 }, () => value))
  expect(unknownIn(schema, { ids: million(1), rows: [] })).toEqual([])
  expect(looked.items).toBe(0)
  expect(unknownIn(schema, { ids: [], rows: million({ b: 1 }) })).toHaveLength(50)
  expect(looked.items).toBeLessThan(100)
  expect(unknownIn(z.object({ rows: z.array(z.object({})).max(10) }), { rows: million({ b: 1 }) })).toEqual([])
  expect(looked.items).toBeLessThan(100)
})
