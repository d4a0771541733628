import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Postgres, postgres } from '../../../../bin/machine.ts'
import { replicaFindings } from '../../../operating/doctor/database.ts'
import { route } from '../../../registry.ts'
import { openTestApp, type TestApp, TOKEN_KEY } from '../../../test/app.ts'
import { databaseOn } from '../../../test/emptyDatabase.ts'
import { openProxy } from '../../../test/proxy.ts'
import { openSessions } from '../../access/sessions.ts'
import type { App } from '../../app/app.ts'
import { invalid, Refusal } from '../../http/errors.ts'
import { openHttp } from '../../http/http.ts'
import { openLive } from '../../live/live.ts'
import { openRegistry } from '../../watch/registry.ts'
import { type Database, type Db, rows } from '../db.ts'
import { openDatabase } from '../open.ts'

// PGlite has no standbys
const ofRun = process.env.TEST_POSTGRES ?? ''
const onPostgres = process.env.TEST_POSTGRES ? describe : () => {}
const PLANS = '/api/system-user/plans'
const run = promisify(execFile)
const command = ([program = '', ...args]: string[]) => run(program, args)

onPostgres('lists from a standby', () => {
  let server: Postgres
  let standby: ReturnType<Postgres['standby']>
  let proxy: Awaited<ReturnType<typeof openProxy>>
  let t: TestApp
  let database: Database
  let http: Awaited<ReturnType<typeof openHttp>>
  let close: () => Promise<void>
  let token: string
  beforeAll(async () => {
    const made = postgres()
    if (!made) throw new Error('there is no PostgreSQL here')
    server = made
    standby = server.standby('asynchronous')
    vi.stubEnv('TEST_POSTGRES', server.url)
    t = await openTestApp()
    const [own] = await rows<{ name: string }>(t.app.db, sql`select current_database() as name`)
    proxy = await openProxy(new URL(standby.url))
    const through = new URL(databaseOn(standby.url, own?.name ?? ''))
    through.host = `127.0.0.1:${proxy.port}`
    database = await openDatabase(databaseOn(server.url, own?.name ?? ''), { replica: through.href })
    const sessions = await openSessions(database, TOKEN_KEY)
    const app: App = { ...t.app, database, db: database.db, sessions }
    const live = await openLive(database, sessions, { readScopes: new Map(), rowScopes: new Map() })
    http = await openHttp(app, live)
    route(http, app)
    token = (await t.somebody('admin')).token
    close = async () => {
      live.close()
      await http.close()
      await database.close()
      await t.close()
      proxy.close()
    }
  })
  afterAll(async () => {
    await close?.()
    standby?.stop()
    server?.stop()
    vi.unstubAllEnvs()
  })

  const isAnswer = (error: unknown) => error instanceof Refusal
  const isStandby = async (db: Db) => (await rows<{ is: boolean }>(db, sql`select pg_is_in_recovery() as is`))[0]?.is
  const where = () => database.replica!.read(isStandby, isAnswer)
  const reads = () => database.replica!.state().reads
  const onStandby = (text: string) => run('psql', ['-q', '-d', standby.url, '-c', text])
  const call = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const answer = await http.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { payload: body }),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const answers = () => expect.poll(where).toBe(true)

  it('come from the standby, with every row that was written before', async () => {
    await answers()
    for (let n = 0; n < 20; n++) {
      const before = reads()
      const made = await call('POST', PLANS, { name: `plan ${n}` })
      expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 })
      const list = await call('GET', `${PLANS}?itemsPerPage=200`)
      expect(list.body.items.map(({ id }: { id: number }) => id)).toContain(made.body.id)
      const after = reads()
      expect(after.standby + after.primary).toBeGreaterThan(before.standby + before.primary)
    }
    expect(reads().standby).toBeGreaterThan(15)
    expect(await openRegistry({ database, metrics: [] }, {}).metrics()).toMatch(/innkeeper_replica_up 1\n/)
    expect(await replicaFindings(database)).toEqual([expect.objectContaining({ state: 'ok' })])
  })

  it('come from the primary while the standby is late', async () => {
    await onStandby('select pg_wal_replay_pause()')
    const made = await call('POST', PLANS, { name: 'late' })
    const before = reads()
    expect((await call('GET', `${PLANS}?itemsPerPage=200`)).body.items.map((row: { id: number }) => row.id)).toContain(
      made.body.id,
    )
    expect(reads()).toEqual({ standby: before.standby, primary: before.primary + 1 })
    expect(database.replica!.state().problem?.reason).toMatch(/^is \d+ bytes behind$/)
    await onStandby('select pg_wal_replay_resume()')
    await answers()
  })

  it('are read again from the primary when the standby cannot answer, and errors that are answers are not', async () => {
    const asked: unknown[] = []
    const wrote = await database.replica!.read(async (db) => {
      asked.push(await isStandby(db))
      await db.execute(sql`update plans set version = version + 1`)
      return 'written'
    }, isAnswer)
    expect([wrote, asked]).toEqual(['written', [true, false]])
    let times = 0
    const refused = database.replica!.read(() => {
      times++
      throw invalid({ name: 'no' })
    }, isAnswer)
    await expect(refused).rejects.toThrow(Refusal)
    expect(times).toBe(1)
  })

  it('go on when the standby stalls, stops and comes back', async () => {
    proxy.stall('all')
    expect(await Promise.all([where(), where()])).toEqual([false, false])
    expect(await openRegistry({ database, metrics: [] }, {}).metrics()).toMatch(/innkeeper_replica_up 0\n/)
    expect(await replicaFindings(database)).toEqual([expect.objectContaining({ state: 'wrong' })])
    proxy.flow()
    await answers()
    standby.stop()
    expect(await where()).toBe(false)
    await command(standby.start)
    await answers()
  })

  it('come from the primary when the standby is of another database, or was promoted', async () => {
    const other = await openDatabase(server.url, { schema: 'as-is', replica: databaseOn(ofRun, 'postgres') })
    expect(await replicaFindings(other)).toEqual([
      expect.objectContaining({ state: 'wrong', text: 'is no standby of the database in DATABASE_URL' }),
    ])
    await other.close()
    await command(standby.promote)
    // on a slow machine, a silent standby is the reason before
    await expect.poll(() => database.replica!.state().problem?.reason).toBe('is no standby any more')
    expect(await where()).toBe(false)
    await call('POST', PLANS, { name: 'after the promotion' })
    expect(await where()).toBe(false)
  })
})
