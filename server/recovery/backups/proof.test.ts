import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { alertsDue } from './alerts.ts'
import { maintenanceDue } from './due.ts'
import { checksDue, drillDue } from './repositoriesDue.ts'
import { good, keep, openBackups, when } from './test/backups.ts'

let world: Awaited<ReturnType<typeof openBackups>>
let repository: number
const call = (...args: Parameters<(typeof world)['s']['call']>) => world.s.call(...args)
const one = async (id: number) => (await call('GET', `/backups/backups/${id}`)).body
const overview = async () => (await call('GET', '/backups/overview')).body
const told = async () =>
  (
    await rows<{ title: string; level: string }>(
      world.t.app.db,
      sql`select title, level from notifications where reason = 'backup' order by notification_id`,
    )
  ).map(({ title, level }) => `${level}: ${title}`)

beforeAll(async () => {
  world = await openBackups()
  await world.backUp(await world.s.site('first.example', world.web), good(1))
  repository = (await call('GET', '/backups/repositories')).body[0][0].id
})
afterAll(() => world.t.close())

describe('a check', () => {
  it('runs by itself once a week, and notifies people once of damage and once when a check is good again', async () => {
    const { t, work } = world
    const age = (days: number) =>
      t.app.db.execute(sql`update backup_repositories set created_at = now() - make_interval(days => ${days}::int)`)
    const checks = async () => (await call('GET', '/backups/tasks?type=check')).body
    await checksDue(t.app)
    expect((await checks())[1]).toBe(0)
    await age(9)
    await checksDue(t.app)
    await checksDue(t.app)
    await work('backup-repository.check', 'server-1 is damaged; pack 12 is broken')
    expect(await checks()).toMatchObject([[{ status: 'failed', startedBy: 'Innkeeper' }], 1])
    await alertsDue(t.app)
    await alertsDue(t.app)
    const text = expect.stringMatching(/^The check of server-\d+ on backup-1 found damage$/)
    expect((await overview()).warnings).toEqual([text])
    expect(await told()).toEqual([expect.stringContaining('found damage')])
    await call('POST', `/backups/repositories/${repository}/check`, { share: 0 })
    await work('backup-repository.check', 'server-1 was not checked: restic ended with 137')
    const after = (await call('GET', `/backups/repositories/${repository}`)).body
    expect(after.checkResult).toContain('damaged')
    await call('POST', `/backups/repositories/${repository}/check`, { share: 0 })
    await work()
    await alertsDue(t.app)
    expect((await overview()).warnings).toEqual([])
    expect(await told()).toEqual([expect.stringContaining('error: '), expect.stringContaining('is good again')])
  })

  it('finds backups whose snapshots were removed outside Innkeeper', async () => {
    const { outputs, work, backUp, s, web, t } = world
    const id = await s.site('behind.example', web)
    const [lost, kept] = [await backUp(id, good(2)), await backUp(id, good(3))]
    await t.app.db.execute(sql`update backups set proven_at = now() where website_id = ${id}`)
    outputs['backup-repository.check'] = { good: true, missing: [good(2).snapshot] }
    await call('POST', `/backups/repositories/${repository}/check`, { share: 0 })
    await work()
    expect(await one(lost.id)).toMatchObject({ status: 3, provenAt: null, error: expect.stringContaining('removed') })
    expect(await one(kept.id)).toMatchObject({ status: 2, error: null })
    const { checkResult } = (await call('GET', `/backups/repositories/${repository}`)).body
    expect(checkResult).toContain('1 backup is lost')
    expect((await call('POST', `/backups/backups/${lost.id}/drill`)).status).toBe(422)
    outputs['backup-repository.check'] = { good: true, missing: [] }
    await call('POST', `/backups/repositories/${repository}/check`, { share: 0 })
    await work()
  })
})

describe('a drill', () => {
  it('stores when a backup was proven, and withdraws the proof when the backup cannot be restored', async () => {
    const { backUp, s, web, work, t } = world
    const backup = await backUp(await s.site('drilled.example', web), good(4))
    const drill = async (...fails: [string, string] | []) => {
      await call('POST', `/backups/backups/${backup.id}/drill`)
      await work(...fails)
      await alertsDue(t.app)
      return (await one(backup.id)).provenAt
    }
    const proven = await drill()
    expect(Date.now() - Date.parse(proven)).toBeLessThan(60_000)
    expect(await drill('backup-drill.run', 'there is no room for a drill: 5 MB')).toBe(proven)
    expect(await drill('backup-drill.run', 'restic ended with 128: the process was killed')).toBe(proven)
    expect(await drill('backup-drill.run', 'restic cannot restore: ciphertext verification failed')).toBeNull()
    expect((await overview()).warnings).toContain('The restore drill of drilled.example failed')
    expect((await call('GET', '/backups/backups?proven=true&search=drilled')).body[1]).toBe(0)
    expect(await drill()).not.toBeNull()
    expect((await overview()).warnings).not.toContain('The restore drill of drilled.example failed')
    expect((await told()).slice(-2)).toEqual([
      'error: The restore drill of drilled.example failed',
      'success: A restore drill of drilled.example was good again',
    ])
  })

  it('runs by itself for the website whose proof is the oldest', async () => {
    const { t, work } = world
    const proven = async () => (await overview()).proven
    const before = await proven()
    await drillDue(t.app)
    await drillDue(t.app)
    await work()
    expect(await proven()).toBe(before + 1)
  })

  it('and a check run for another repository of the backup server while one is locked', async () => {
    const { other, t, s, work, backUp } = world
    const locked = await backUp(await s.site('locked.example', await other('web-8')), good(41))
    const free = await backUp(await s.site('free.example', await other('web-9')), good(42))
    await t.app.db.execute(sql`update backup_repositories set last_check_at = now() - case
      when backup_repository_id = ${locked.repositoryId} then interval '90 days' when backup_repository_id = ${free.repositoryId}
      then interval '60 days' else interval '0' end`)
    await t.app.db.execute(sql`insert into backup_locks (backup_repository_id, source, type, reason, holder)
      values (${locked.repositoryId}, 'innkeeper', 'read-only', 'unspecified', 'Nils')`)
    await t.app.db.execute(
      sql`update backups set proven_at = now() where website_id not in (${locked.websiteId}, ${free.websiteId})`,
    )
    const begun = async (type: string) => {
      const [tasks] = (await call('GET', `/backups/tasks?type=${type}`)).body
      return tasks[0]
    }
    await checksDue(t.app)
    expect(await begun('check')).toMatchObject({ repositoryId: free.repositoryId, status: 'pending' })
    await drillDue(t.app)
    expect(await begun('drill')).toMatchObject({ websiteId: free.websiteId, status: 'pending' })
    await work()
    await t.app.db.execute(sql`delete from backup_locks where holder = 'Nils'`)
  })

  it('that can never start leaves its turn to the next website, and counts as failed', async () => {
    const { t, s, web, work, backUp } = world
    const hollow = await backUp(await s.site('hollow.example', web), good(43))
    const next = await backUp(await s.site('next.example', web), good(44))
    await t.app.db.execute(sql`update backups set proven_at = case when website_id in (${hollow.websiteId}, ${next.websiteId}) then null
      else now() end`)
    // without snapshots
    await t.app.db.execute(sql`update backups set parts = '[]' where backup_id = ${hollow.id}`)
    await drillDue(t.app)
    const [tasks] = (await call('GET', '/backups/tasks?type=drill')).body
    expect(tasks.slice(0, 2)).toMatchObject([
      { websiteId: next.websiteId, status: 'pending' },
      { websiteId: hollow.websiteId, status: 'failed', message: 'This backup has nothing that can be restored' },
    ])
    await work()
  })
})

describe('a forget', () => {
  it('applies the policy to each kind separately, and keeps the last good backup', async () => {
    const { backUp, s, web, t, backupServer } = world
    const id = await s.site('kinds.example', web)
    await call('POST', '/database/databases', { websiteId: id, name: 'kinds_shop' })
    await world.work()
    const full = await backUp(id, good(10))
    const dumps = []
    for (let n = 11; n < 16; n++) dumps.push(await backUp(id, good(n), { kind: 'mysql' }))
    const partial = await backUp(id, { ...good(16), problem: 'a file could not be read' })
    await t.app.db.execute(sql`update backups set created_at = now() - make_interval(hours => 500 - backup_id)
      where website_id = ${id}`)
    const [last] = [{ ...keep, last: 1, daily: 0 }]
    const asked = await call('POST', '/backups/schedules/preview', { websiteId: id, keep: last })
    const reasons = Object.fromEntries(
      asked.body.backups.map((one: { id: number; reasons: string[] }) => [one.id, one.reasons.join()]),
    )
    expect(reasons).toMatchObject({
      ...{ [full.id]: 'last good', [partial.id]: 'last', [dumps[4].id]: 'last', [dumps[3].id]: '' },
    })
    await call('POST', `/backups/servers/${backupServer}/forget`, { keep: last })
    await world.work()
    expect(await one(full.id)).toMatchObject({ status: 2 })
  })

  it('by schedule handles each repository separately, and a locked one does not delay the others', async () => {
    const { t, work, s, backupServer, backUp } = world
    const other = await world.other('web-2')
    await backUp(await s.site('second.example', other), good(20))
    await call('POST', `/backups/servers/${backupServer}/schedule-prune`, { when })
    await call('POST', `/backups/repositories/${repository}/lock`, {})
    await t.app.db.execute(sql`update backup_servers set prune_next_at = now() - interval '1 minute'`)
    await maintenanceDue(t.app)
    await work()
    const [tasks] = (await call('GET', '/backups/tasks?type=prune')).body
    const ofServer = (id: number) => tasks.filter(({ subject }: { subject: string }) => subject === `server-${id}`)
    expect([ofServer(world.web), ofServer(other)]).toMatchObject([[], [{ status: 'done' }]])
    await call('POST', `/backups/repositories/${repository}/unlock`)
  })
})
