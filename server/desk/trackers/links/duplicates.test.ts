import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'

let t: TestApp
let token: string
const base = '/api/bug-report/bugs'
beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, path, { token, ...(body !== undefined && { body }) })
const report = async (title: string) => (await call('POST', base, { title })).body
const status = async (name: string): Promise<number> =>
  (await call('GET', `${base}/status`)).body.items.find((one: { name: string }) => one.name === name).id

it('is no duplicate any more once it is reopened, and never a duplicate of nothing', async () => {
  const [first, second, duplicate] = [await report('Origin'), await report('Again'), await status('Duplicate')]
  const alone = await call('PATCH', `${base}/${second.id}`, { statusId: duplicate })
  expect(Object.keys(alone.body.fields ?? {})).toEqual(['statusId'])
  await call('POST', `${base}/${second.id}/duplicate`, { of: first.id })
  const triaged = await status('Triaged')
  expect((await call('PATCH', `${base}/${second.id}`, { statusId: triaged })).body.duplicateOf).toBe(null)
  await call('POST', `${base}/${second.id}/duplicate`, { of: first.id })
  const reopening = await call('DELETE', `${base}/status/${duplicate}`, { replacementId: triaged })
  expect(Object.keys(reopening.body.fields ?? {})).toEqual(['replacementId'])
})
