import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { backup } from '../../kit/ownBackup/backup.ts'
import { contentsOf, proveApart } from '../../kit/ownBackup/compare.ts'
import { alertsDue } from './alerts.ts'
import { ownBackupDue } from './own/handlers.ts'
import { good, keep, openBackups, when } from './test/backups.ts'

let b: Awaited<ReturnType<typeof openBackups>>
const call = (method: 'GET' | 'POST' | 'DELETE', path = '', body: object = {}) =>
  b.s.call(method, `/backups/innkeeper${path}`, body)
const latest = async () => (await call('GET')).body.items[0]
const inputOf = async (name: string) =>
  (
    await rows<{ input: Record<string, unknown> }>(
      b.t.app.db,
      sql`select input from actions where name = ${name} order by action_id desc limit 1`,
    )
  )[0]?.input

describe('the backup of Innkeeper itself', () => {
  beforeAll(async () => {
    b = await openBackups()
    b.outputs['own-backup.write'] = { size: 10, sha256: 'a'.repeat(64), rows: 7, contents: { users: '1 ab' } }
    b.outputs['own-backup.store'] = { snapshot: good(1).snapshot, bytes: 100, added: 20 }
    b.outputs['own-backup.fetch'] = { size: 12, sha256: 'b'.repeat(64) }
  })
  afterAll(() => b?.t.close())

  test('is written, stored, fetched again and proven; its repository behaves like others', async () => {
    expect((await call('GET')).body).toEqual({ plan: null, items: [] })
    expect((await call('POST', '/run', {})).status).toBe(202)
    expect((await call('POST', '/run', {})).status).toBe(409)
    await b.work()
    expect(await latest()).toMatchObject({
      ...{ status: 2, rows: 7, bytes: 100, added: 20, provenAt: expect.any(String), backupServerName: 'backup-1' },
      ...{ error: null, snapshot: good(1).snapshot },
    })
    const [repository] = (await b.s.call('GET', '/backups/repositories?search=innkeeper')).body[0]
    expect(repository).toMatchObject({ account: 'innkeeper', status: 'ready', backups: 1 })
    expect((await b.s.call('DELETE', `/backups/repositories/${repository.id}`, {})).status).toBe(422)
    expect((await inputOf('own-backup.fetch'))?.snapshot).toMatchObject({ $output: 'snapshot' })
  })

  test('is partial when it was stored but not proven, and failed when it was not stored', async () => {
    b.outputs['own-backup.store'] = { snapshot: good(9).snapshot, bytes: 100, added: 20 }
    await call('POST', '/run', {})
    await b.work('own-backup.prove', '2 tables differ')
    expect(await latest()).toMatchObject({ status: 4, provenAt: null, error: expect.stringContaining('2 tables') })
    await call('POST', '/run', {})
    await b.work('own-backup.store', 'the disk is full')
    expect(await latest()).toMatchObject({ status: 3, snapshot: null, error: expect.stringContaining('full') })
  })

  test('is partial when the file store lacks uploaded files, and names some', async () => {
    b.outputs['own-backup.store'] = { snapshot: good(9).snapshot, bytes: 100, added: 20 }
    b.outputs['own-backup.prove'] = { tables: 9, missing: { count: 7, examples: ['plan.pdf', 'logo.png'] } }
    await call('POST', '/run', {})
    await b.work()
    delete b.outputs['own-backup.prove']
    const error = 'The file store lacks 7 uploaded files, whole or in part: plan.pdf, logo.png, …'
    expect(await latest()).toMatchObject({ status: 4, error, provenAt: expect.any(String) })
  })

  test('has a schedule with a keep policy, and a warning appears when it is late', async () => {
    const wanted = { backupServerId: b.backupServer, when, keep: { ...keep, last: 1, daily: 0 } }
    const nothing = { last: 0, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
    expect((await call('POST', '/plan', { ...wanted, keep: nothing })).status).toBe(422)
    const { body: plan } = await call('POST', '/plan', wanted)
    expect(plan).toMatchObject({ backupServerName: 'backup-1', nextAt: expect.any(String) })
    expect((await call('POST', '/plan', { ...wanted, version: plan.version + 5 })).status).toBe(409)
    for (const n of [2, 3]) {
      b.outputs['own-backup.store'] = { snapshot: good(n).snapshot, bytes: 100, added: 20 }
      await b.t.app.db.execute(sql`update own_backup_plans set next_at = now() - interval '1 minute'`)
      await ownBackupDue(b.t.app)
      await b.work()
    }
    expect((await inputOf('backup-repository.forget'))?.snapshots).toEqual([good(1).snapshot, good(9).snapshot])
    expect((await call('GET')).body.items.map(({ snapshot }: { snapshot: string }) => snapshot)).not.toContain(
      good(1).snapshot,
    )
    const warnings = async () => {
      await alertsDue(b.t.app)
      return (await b.s.call('GET', '/backups/overview')).body.warnings.join()
    }
    expect(await warnings()).not.toContain('itself')
    await b.t.app.db.execute(
      sql`update own_backups set proven_at = now() - interval '3 days' where proven_at is not null`,
    )
    await b.t.app.db.execute(sql`update own_backup_plans set created_at = now() - interval '9 days'`)
    expect(await warnings()).toContain('No proven backup of Innkeeper itself')
    expect((await call('DELETE', '/plan', {})).status).toBe(204)
    expect((await call('DELETE', '/plan', {})).status).toBe(404)
  })

  test('its proof compares every table of a restored database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'own-'))
    try {
      const { db, settings } = b.t.app
      const file = join(folder, 'backup')
      await backup(db, settings, file)
      const contents = await contentsOf(file)
      expect(Object.keys(contents).length).toBeGreaterThan(100)
      const { signal } = new AbortController()
      const place = { key: settings.key, dataDir: folder }
      // all other tables are equal
      expect(await proveApart(file, place, { ...contents, backup_servers: '9 ab' }, signal)).toEqual(['backup_servers'])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
