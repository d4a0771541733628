import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseOn } from '../../testing/template.ts'
import { openTestApp, type TestApp, TOKEN_KEY } from '../../testing/testApp.ts'
import { type Database, rows } from '../db/db.ts'
import { openDatabase } from '../db/open.ts'
import { openSessions, type Sessions } from './sessions.ts'

// PGlite notifies within its own process, so no connection can stall
const onPostgres = process.env.TEST_POSTGRES ? describe : () => {}

onPostgres('a node whose LISTEN connections stall without an error', () => {
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
    proxy.stall()
    await t.app.sessions.endAll(t.app.db, id)
    await expect.poll(() => isIn(), { timeout: 8_000, interval: 100 }).toBe(false)
    expect(sessions.isCurrent()).toBe(false)
    expect(await isIn(other.token)).toBe(true) // answered from the database
    proxy.flow()
    await gap
    expect(sessions.isCurrent()).toBe(true)
    expect(await isIn(other.token)).toBe(true)
    await t.app.sessions.endAll(t.app.db, other.id)
    await expect.poll(() => isIn(other.token), { timeout: 1_000 }).toBe(false)
  })
})

/** A proxy that forwards everything until `stall`, which cuts off the connections that LISTEN. */
async function openProxy({ hostname, port }: URL) {
  let isStalled = false
  const pairs = new Set<{ near: Socket; far: Socket; listens: boolean }>()
  const server = createServer((near) => {
    const pair = { near, far: connect(Number(port), hostname), listens: false }
    pairs.add(pair)
    const holdsBack = () => isStalled && pair.listens
    near.on('data', (data) => {
      if (data.includes('listen "')) pair.listens = true
      if (!holdsBack()) pair.far.write(data)
    })
    pair.far.on('data', (data) => !holdsBack() && near.write(data))
    for (const socket of [near, pair.far])
      socket
        .on('error', () => {})
        .on('close', () => {
          near.destroy()
          pair.far.destroy()
          pairs.delete(pair)
        })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port
    stall: () => {
      isStalled = true
    },
    flow: () => {
      isStalled = false
    },
    close() {
      server.close()
      for (const { near } of pairs) near.destroy()
    },
  }
}
