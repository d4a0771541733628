import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'

let t: TestApp
let mine: string
let theirs: string
beforeAll(async () => {
  t = await openTestApp()
  mine = (await t.somebody([])).token
  theirs = (await t.somebody('admin')).token
})
afterAll(() => t.close())

const save = (body: object, token = mine) => t.call('POST', '/api/views', { token, body })
const list = async (token: string, query = '') => (await t.call('GET', `/api/views${query}`, { token })).body.items
const failing = { list: 'websites', name: 'Failing', filters: { status: ['failed'] } }

it('a view follows its person and is hidden from others', async () => {
  const { status, body } = await save({ ...failing, sort: 'domain', direction: 'ASC' })
  expect(status).toBe(201)
  expect(await list(mine, '?list=websites')).toEqual([{ id: body.id, ...failing, sort: 'domain', direction: 'ASC' }])
  expect(await list(mine, '?list=servers')).toEqual([])
  expect(await list(theirs)).toEqual([])
  expect((await t.call('DELETE', `/api/views/${body.id}`, { token: theirs })).status).toBe(404)
})
it('saving under an existing name changes that view', async () => {
  const { body } = await save({ ...failing, filters: { status: ['failed', 'suspended'] } })
  expect(await list(mine)).toMatchObject([{ id: body.id, filters: { status: ['failed', 'suspended'] }, sort: null }])
  expect((await t.call('DELETE', `/api/views/${body.id}`, { token: mine })).status).toBe(204)
  expect(await list(mine)).toEqual([])
})
it('refuses more than fifty views, and invalid ones', async () => {
  for (let n = 0; n < 50; n++) expect((await save({ ...failing, name: `v${n}` }, theirs)).status).toBe(201)
  expect(await save({ ...failing, name: 'one more' }, theirs)).toMatchObject({
    status: 422,
    body: { fields: { name: expect.any(String) } },
  })
  expect((await save({ ...failing, name: 'v3' }, theirs)).status, 'replaces').toBe(201)
  expect((await save({ ...failing, list: '../x' })).status).toBe(400)
  expect((await save({ ...failing, name: ' ' })).status).toBe(400)
})
