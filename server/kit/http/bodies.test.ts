import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'

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
