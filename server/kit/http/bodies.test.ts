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
