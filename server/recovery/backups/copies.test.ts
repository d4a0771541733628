import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { enrolled, hearAlways } from '../../test/work.ts'
import { alertsDue } from './alerts.ts'
import { copiesDue } from './due.ts'
import { good, openBackups, when } from './test/backups.ts'

let b: Awaited<ReturnType<typeof openBackups>>
let website: number
let other: number
let repository: number
let copy: { id: number; version: number; targetId: number }

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => b.s.call(method, path, body)
const list = async () => (await call('GET', '/backups/repositories/copies')).body[0]
const snapshots = async () =>
  (
    await rows<{ input: { snapshots: string[] }; server: number }>(
      b.t.app.db,
      sql`select input, server_id as server from actions where name in ('backup-copy.run', 'backup-repository.forget')
      order by action_id desc`,
    )
  ).map(({ input, server }) => ({ server, snapshots: input.snapshots }))
/** The answer of the agent: the other repository has its own snapshot ids. */
const copies = (...all: number[]) => ({
  copied: all.map((n) => ({ snapshot: good(n).snapshot, copy: good(n + 0x1000).snapshot })),
  added: all.length,
  missing: [],
})

describe('the copy of a repository on another backup server', () => {
  beforeAll(async () => {
    b = await openBackups()
    website = await b.s.site('copied.example', b.web)
    const keeper = await enrolled(b.t.app.db, 'backup-2', { address: '10.77.1.14', type: 'backup' })
    await hearAlways(b.t.app.db)
    other = (await call('POST', '/backups/servers', { serverId: keeper })).body.data.id
    await b.work()
    const backup = await b.backUp(website, good(1), { kind: 'file' })
    repository = backup.repositoryId
  })
  afterAll(() => b?.t.close())

  test('is refused on the same server, and for a repository that does not exist', async () => {
    const wanted = { repositoryId: repository, backupServerId: b.backupServer }
    expect(await call('POST', '/backups/repositories/copies', wanted)).toMatchObject({
      status: 422,
      body: { fields: { backupServerId: expect.stringContaining('choose another') } },
    })
    expect((await call('POST', '/backups/repositories/copies', { ...wanted, repositoryId: 9999 })).status).toBe(404)
    expect((await call('POST', '/backups/repositories/copies', { ...wanted, backupServerId: 999 })).status).toBe(422)
  })

  test('has the chunker parameters of the first, and a state of its own', async () => {
    b.outputs['backup-copy.run'] = copies(1)
    const wanted = { repositoryId: repository, backupServerId: other, when, limit: 500 }
    const made = await call('POST', '/backups/repositories/copies', wanted)
    expect(made.body.data).toMatchObject({ state: 'running', waiting: 1, copied: 0, account: `server-${b.web}` })
    const names = await rows<{ name: string }>(
      b.t.app.db,
      sql`select name from actions where workflow_id = ${made.body.workflowId} order by position`,
    )
    expect(names.map(({ name }) => name)).toEqual(['backup-account.ensure', 'backup-copy.prepare', 'backup-copy.run'])
    await b.work()
    ;[copy] = await list()
    expect(copy).toMatchObject({ state: 'current', copied: 1, waiting: 0, failures: 0, limit: 500 })
    const [backup] = (await call('GET', '/backups/backups')).body[0]
    expect(backup).toMatchObject({ copiedTo: 'backup-2', copiedAt: expect.any(String) })
    expect((await call('POST', '/backups/repositories/copies', wanted)).status).toBe(409)
  })

  test('a schedule copies new backups; a failed run is counted, notified about, and made up for', async () => {
    await b.backUp(website, good(2), { kind: 'file' })
    expect((await list())[0]).toMatchObject({ state: 'waiting', waiting: 1 })
    const due = () => b.t.app.db.execute(sql`update backup_copies set next_at = now() - interval '1 minute'`)
    for (let n = 1; n <= 3; n++) {
      await due()
      await copiesDue(b.t.app)
      await b.work('backup-copy.run', 'the other server is away')
      expect((await list())[0]).toMatchObject({ state: 'failed', failures: n, error: expect.stringContaining('away') })
    }
    await alertsDue(b.t.app)
    const overview = async () => (await call('GET', '/backups/overview')).body.warnings.join()
    expect(await overview()).toContain('copy of')
    b.outputs['backup-copy.run'] = copies(2)
    await due()
    await copiesDue(b.t.app)
    await b.work()
    expect((await snapshots())[0]).toEqual({ server: b.keeper, snapshots: [good(2).snapshot] })
    expect((await list())[0]).toMatchObject({ state: 'current', failures: 0, error: null })
    await alertsDue(b.t.app)
    expect(await overview()).not.toContain('copy of')
  })

  test('the other server removes a deleted backup from the copy', async () => {
    const [newest] = (await call('GET', '/backups/backups')).body[0]
    await call('DELETE', `/backups/backups/${newest.id}`)
    await b.work()
    expect((await call('POST', `/backups/repositories/copies/${copy.id}/run`)).status).toBe(202)
    await b.work()
    const [forgotten] = await snapshots()
    expect(forgotten?.snapshots).toEqual([good(0x1002).snapshot])
    expect(forgotten?.server).not.toBe(b.keeper)
    await call('POST', `/backups/repositories/copies/${copy.id}/run`)
    await b.work()
    expect((await snapshots())[0]).toEqual(forgotten) // a second run copies nothing again
  })

  test('a restore, the tree and a check read the copy', async () => {
    const [backup] = (await call('GET', '/backups/backups')).body[0]
    const begun = await call('POST', '/backups/restores', { backupId: backup.id, copy: true })
    expect(begun.status).toBe(202)
    const [prepared] = await rows<{ input: Record<string, unknown> }>(
      b.t.app.db,
      sql`select input from actions where name = 'restore-files.prepare' order by action_id desc limit 1`,
    )
    expect(prepared?.input).toMatchObject({
      ...{ address: '10.77.1.14', account: `copy-${repository}`, snapshot: good(0x1001).snapshot },
    })
    await b.work()
    const checked = await call('POST', `/backups/repositories/${copy.targetId}/check`, { share: 0 })
    const [looked] = await rows<{ input: { snapshots: string[] } }>(
      b.t.app.db,
      sql`select input from actions where workflow_id = ${checked.body.workflowId} and name = 'backup-repository.check'`,
    )
    expect(looked?.input.snapshots).toEqual([good(0x1001).snapshot])
    b.outputs['backup-repository.check'] = { good: true, missing: [good(0x1001).snapshot] }
    await b.work()
    expect((await list())[0]).toMatchObject({ copied: 0, waiting: 1 }) // the next run copies it again
    b.outputs['backup-copy.run'] = copies(1)
    await call('POST', `/backups/repositories/copies/${copy.id}/run`)
    await b.work()
  })

  test('neither repository is deleted while it is copied', async () => {
    for (const [id, name] of [
      [repository, `server-${b.web}`],
      [copy.targetId, `copy-${repository}`],
    ])
      expect(await call('DELETE', `/backups/repositories/${id}`, { name })).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('end the copying first') },
      })
  })

  test('the copy is used when the first is lost', async () => {
    await b.backUp(website, good(3), { kind: 'file' })
    const path = `/backups/repositories/copies/${copy.id}/use`
    expect((await call('POST', path, { name: 'wrong' })).status).toBe(422)
    expect((await call('POST', path, { name: `server-${b.web}`, lost: 0 })).status).toBe(409)
    const used = await call('POST', path, { name: `server-${b.web}`, lost: 1 })
    expect(used.body).toMatchObject({ kept: 1, lost: 1, targetId: copy.targetId })
    const all = (await call('GET', '/backups/backups')).body[0]
    expect(all).toMatchObject([
      { status: 3, error: expect.stringContaining('lost') },
      { status: 2, repositoryId: copy.targetId, backupServerName: 'backup-2', copiedAt: null },
    ])
    expect(all[1].parts[0]).toMatchObject({ snapshot: good(0x1001).snapshot })
    expect(await list()).toEqual([])
    const again = await b.backUp(website, good(4), { kind: 'file' })
    expect(again).toMatchObject({ status: 2, repositoryId: repository }) // the lost repository was made again
    const made = await rows(
      b.t.app.db,
      sql`select 1 from actions where workflow_id = ${again.workflowId} and name = 'backup-repository.ensure'`,
    )
    expect(made).toHaveLength(1)
    expect((await call('POST', '/backups/restores', { backupId: all[1].id })).status).toBe(202)
  })
})
