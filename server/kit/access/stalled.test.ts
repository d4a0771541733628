import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, TOKEN_KEY } from '../../test/app.ts'
import { databaseOn } from '../../test/emptyDatabase.ts'
import { openProxy } from '../../test/proxy.ts'
import { type Database, rows } from '../db/db.ts'
import { openDatabase } from '../db/open.ts'
import { openSessions, type Sessions } from './sessions.ts'

// PGlite notifies within its own process, so no connection can stall
const onPostgres = process.env.TEST_POSTGRES ? describe : () => {}

onPostgres('a node whose LISTEN connection stalls without an error', () => {
  let t: TestApp
  let proxy: Awaited<ReturnType<typeof openProxy>>
  let database: Database
  let sessions: Sessions
  beforeAll(async () => {
    t = await openTestApp()
    const url = new URL(process.env.TEST_POSTGRES ?? '')
    proxy = await openProxy(url)
    const [own] = await rows<{ name: string }>(t.app.db, sql`select current_database() as name`)
    const through = new URL(databaseOn(url.href, own?.name ?? ''))
    through.host = `127.0.0.1:${proxy.port}`
    database = await openDatabase(through.href)
    sessions = await openSessions(database, TOKEN_KEY)
  })
  afterAll(async () => {
    proxy.close()
    await database.close()
    await t.close()
  })

  it('refuses a person signed out on another node within seconds, and recovers when notifications flow again', async () => {
    const { id, token } = await t.somebody([])
    const other = await t.somebody([])
    const isIn = async (whose = token) =>
      sessions.authenticate(whose).then(
        () => true,
        () => false,
      )
    expect(await isIn()).toBe(true)
    const gap = new Promise<void>((resolve) => sessions.onGap(resolve))
    proxy.stall('listening')
    await t.app.sessions.endAll(t.app.db, id)
    await expect.poll(() => isIn(), { timeout: 15_000, interval: 100 }).toBe(false)
    expect(sessions.isCurrent()).toBe(false)
    expect(await isIn(other.token)).toBe(true) // answered from the database
    proxy.flow()
    await gap
    expect(sessions.isCurrent()).toBe(true)
    expect(await isIn(other.token)).toBe(true)
    await t.app.sessions.endAll(t.app.db, other.id)
    await expect.poll(() => isIn(other.token), { timeout: 15_000 }).toBe(false)
  })
})
