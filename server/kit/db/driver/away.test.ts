import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { route } from '../../../registry.ts'
import { openTestApp, type TestApp, TOKEN_KEY } from '../../../test/app.ts'
import { databaseOn } from '../../../test/emptyDatabase.ts'
import { openProxy } from '../../../test/proxy.ts'
import { openSessions } from '../../access/sessions.ts'
import type { App } from '../../app/app.ts'
import { openHttp } from '../../http/http.ts'
import { openLive } from '../../live/live.ts'
import { type Database, rows } from '../db.ts'
import { openDatabase } from '../open.ts'

// PGlite runs in this process, so that it is always available
const onPostgres = process.env.TEST_POSTGRES ? describe : () => {}

onPostgres('a node without its database', () => {
  let t: TestApp
  let proxy: Awaited<ReturnType<typeof openProxy>>
  let database: Database
  let http: FastifyInstance
  let close: () => Promise<void>
  beforeEach(async () => {
    t = await openTestApp()
    const url = new URL(process.env.TEST_POSTGRES ?? '')
    proxy = await openProxy(url)
    const [own] = await rows<{ name: string }>(t.app.db, sql`select current_database() as name`)
    const through = new URL(databaseOn(url.href, own?.name ?? ''))
    through.host = `127.0.0.1:${proxy.port}`
    database = await openDatabase(through.href)
    const sessions = await openSessions(database, TOKEN_KEY)
    const app: App = { ...t.app, database, db: database.db, sessions }
    const live = await openLive(database, sessions, { readScopes: new Map(), rowScopes: new Map() })
    http = await openHttp(app, live)
    route(http, app)
    close = async () => {
      proxy.close()
      live.close()
      await http.close()
      await database.close()
      await t.close()
    }
  })
  afterEach(() => close())

  const ask = async (url: string, token = '') => {
    const since = performance.now()
    const { statusCode } = await http.inject({ url, headers: { authorization: `Bearer ${token}` } })
    return { statusCode, ms: performance.now() - since }
  }

  it('is not ready, and answers 503 within seconds, when all connections stall', async () => {
    const { token } = await t.somebody('admin')
    expect((await ask('/readyz')).statusCode).toBe(200)
    expect((await ask('/api/websites', token)).statusCode).toBe(200)
    proxy.stall('all')
    const [health, call] = await Promise.all([ask('/readyz'), ask('/api/websites', token)])
    expect(health).toMatchObject({ statusCode: 503 })
    expect(health.ms).toBeLessThan(4_000)
    expect(call).toMatchObject({ statusCode: 503 })
    expect(call.ms).toBeLessThan(20_000) // the sum of a beat, its timeout, and an attempt to connect
    expect((await ask('/api/websites', token)).ms).toBeLessThan(3_000) // without an attempt to connect
    proxy.flow()
    await expect.poll(async () => (await ask('/readyz')).statusCode).toBe(200)
    expect((await ask('/api/websites', token)).statusCode).toBe(200)
  })

  it('is not ready, and answers 503 at once, when the database refuses', async () => {
    const { token } = await t.somebody('admin')
    expect((await ask('/api/websites', token)).statusCode).toBe(200)
    proxy.refuse()
    const [health, call] = await Promise.all([ask('/readyz'), ask('/api/websites', token)])
    expect(health).toMatchObject({ statusCode: 503 })
    expect(call).toMatchObject({ statusCode: 503 })
    expect(call.ms).toBeLessThan(6_000)
  })
})
