import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { beat, claim, finish } from '../../kit/work/claim.ts'
import { backupsDue } from './due.ts'
import { good, keep, openBackups, when } from './test/backups.ts'

let b: Awaited<ReturnType<typeof openBackups>>
let website: number
const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body: object = {}) => b.s.call(method, path, body)
const read = async (id: number) => (await call('GET', `/backups/backups/${id}`)).body

/** Waits until the agent has begun to back up the files, and returns that attempt. */
async function begun() {
  b.outputs['backup-files.run'] = good(1)
  const { body } = await call('POST', '/backups/backups', {
    websiteId: website,
    backupServerId: b.backupServer,
    kind: 'file',
  })
  for (let n = 0; n < 20; n++) {
    const [next] = await rows<{ server: number; lane: 'short' | 'long' }>(
      b.t.app.db,
      sql`select server_id as server, lane from actions where status = 'ready' order by action_id limit 1`,
    )
    const [op] = next ? await claim(b.t.app.db, next.server, next.lane, 1) : []
    if (!op || !next) break
    if (op.name === 'backup-files.run') return { id: Number(body.data.id), op }
    const answer = { status: 'done' as const, output: b.outputs[op.name] ?? {} }
    await finish(b.t.app.db, next.server, [{ id: op.id, attempt: op.attempt, ...answer }])
  }
  throw new Error('the files were never begun')
}

describe('a backup that people stop', () => {
  beforeAll(async () => {
    b = await openBackups()
    website = await b.s.site('stopped.example', b.web)
  })
  afterAll(() => b?.t.close())

  test('is paused: the agent ends it, its answer no longer counts, and it starts again when it is resumed', async () => {
    const { id, op } = await begun()
    expect((await call('POST', `/backups/backups/${id}/pause`)).body).toMatchObject({ pausedAt: expect.any(String) })
    expect((await call('POST', `/backups/backups/${id}/pause`)).status).toBe(409)
    const attempt = { id: op.id, attempt: op.attempt }
    expect(await beat(b.t.app.db, b.web, [attempt], [])).toEqual({ gone: [attempt], stop: [attempt] })
    await finish(b.t.app.db, b.web, [{ ...attempt, status: 'failed', reason: 'restic ended with 137' }])
    await b.work()
    expect((await read(id)).status).toBeLessThan(2)
    expect((await call('POST', `/backups/backups/${id}/resume`)).body).toMatchObject({ pausedAt: null })
    await b.work()
    expect(await read(id)).toMatchObject({ status: 2, pausedAt: null })
    for (const verb of ['pause', 'resume', 'cancel'])
      expect((await call('POST', `/backups/backups/${id}/${verb}`)).status, verb).toBe(409)
  })

  test('continues by itself when its pause is over', async () => {
    const { id } = await begun()
    await call('POST', `/backups/backups/${id}/pause`, { hours: 3 })
    await backupsDue(b.t.app)
    await b.work()
    expect((await read(id)).status).toBeLessThan(2)
    await b.t.app.db.execute(sql`update backups set paused_until = now() where backup_id = ${id}`)
    await backupsDue(b.t.app)
    await b.work()
    expect((await read(id)).status).toBe(2)
  })

  test('is cancelled while it runs', async () => {
    const { id, op } = await begun()
    expect((await call('POST', `/backups/backups/${id}/cancel`)).status).toBe(200)
    expect((await beat(b.t.app.db, b.web, [{ id: op.id, attempt: op.attempt }], [])).stop).toHaveLength(1)
    b.outputs['backup-files.run'] = {} // the answer of an undo
    await b.work()
    expect(await read(id)).toMatchObject({ status: 3, error: expect.stringContaining('ancelled') })
    const again = await begun() // its lock is free
    await finish(b.t.app.db, b.web, [{ id: again.op.id, attempt: again.op.attempt, status: 'done', output: good(2) }])
    await b.work()
  })

  test('stops on a paused server, where due backups wait; other servers continue', async () => {
    const { id } = await begun()
    const made = await call('POST', '/backups/pauses', { serverId: b.web, hours: 2, reason: 'New disks' })
    expect(made.body).toMatchObject({ serverName: 'web-1', stopped: 1 })
    expect((await call('POST', '/backups/pauses', { serverId: b.web, hours: 2, reason: 'x' })).status).toBe(409)
    const { status, body } = await call('POST', '/backups/backups', {
      websiteId: website,
      backupServerId: b.backupServer,
    })
    expect([status, body.message]).toEqual([409, expect.stringContaining('New disks')])
    expect((await call('POST', `/backups/backups/${id}/resume`)).status).toBe(409)
    const wanted = {
      name: 'Nightly',
      websiteId: website,
      backupServerId: b.backupServer,
      kind: 'file',
      when,
      keep,
      spread: 0,
    }
    await call('POST', '/backups/schedules', wanted)
    await b.t.app.db.execute(sql`update backup_schedules set next_at = now() - interval '1 minute'`)
    await backupsDue(b.t.app)
    expect(await rows(b.t.app.db, sql`select * from backup_turns`)).toHaveLength(1)
    expect((await call('DELETE', `/backups/pauses/${made.body.id}`)).status).toBe(204)
    await b.work()
    expect((await read(id)).status).toBe(2)
    await backupsDue(b.t.app)
    expect(await rows(b.t.app.db, sql`select * from backup_turns`)).toHaveLength(0)
  })
})
