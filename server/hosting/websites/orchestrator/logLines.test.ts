import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { answerRead, enrolled } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' })
  server = await enrolled(t.app.db, 'web-1', { provisionedAt: new Date().toISOString() })
  await t.call('POST', '/api/websites', {
    token: admin,
    body: { originServer: server, domain: 'lines.example', userId: 1, plan: 1 },
  })
})
afterAll(() => t.close())

const ask = (query = '') => t.call('GET', `/api/websites/1/log-lines${query}`, { token: admin })

it('answers lines of the website’s own log on its server', async () => {
  const asked = ask('?kind=error&lines=5')
  const lines = ['first', 'second']
  await expect.poll(() => answerRead(t.app.db, server, { lines })).toBe(true)
  expect(await asked).toMatchObject({ status: 200, body: { lines } })
})

it('reports an offline server, and accepts no other log', async () => {
  expect((await ask('?kind=../auth')).body.fields).toHaveProperty('kind')
  expect((await ask('?lines=501')).body.fields).toHaveProperty('lines')
  await t.app.db.execute(`update server_states set last_seen_at = now() - interval '5 minutes'`)
  expect(await ask()).toMatchObject({ status: 503, body: { message: expect.stringContaining('web-1') } })
})
