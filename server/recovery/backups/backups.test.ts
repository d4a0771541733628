import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { claim, finish } from '../../kit/work/claim.ts'
import type { TestApp } from '../../test/app.ts'
import { alertsDue } from './alerts.ts'
import { backupsDue } from './due.ts'
import { good, keep, openBackups, when } from './test/backups.ts'

let t: TestApp
let web: number
let keeper: number
let s: Awaited<ReturnType<typeof openBackups>>['s']
let backupServer: number
let work: (fails?: string) => Promise<void>
let outputs: Record<string, unknown>
let backUp: Awaited<ReturnType<typeof openBackups>>['backUp']

beforeAll(async () => {
  ;({ t, web, keeper, s, backupServer, work, outputs, backUp } = await openBackups())
})
afterAll(() => t.close())

describe('the lists', () => {
  it.each([
    'overview',
    'servers',
    'backups',
    'tasks',
    'logs/backups',
    'repositories',
    'repositories/locks',
    'repositories/copies',
    'schedules',
  ])('%s answers for every order', async (path) => {
    for (const sort of ['', 'name', 'createdAt', 'bytes', 'startedAt', 'since', 'at'])
      expect([200, 400]).toContain((await s.call('GET', `/backups/${path}?sort=${sort}&search=a`)).status)
    expect((await s.call('GET', `/backups/${path}`)).status).toBe(200)
  })

  it('of backups is filtered by status', async () => {
    expect((await s.call('GET', '/backups/backups?status=2,4')).status).toBe(200)
    expect((await s.call('GET', '/backups/backups?status=5')).status).toBe(400)
  })
})

describe('a backup', () => {
  it('is completed with its parts, partial with a problem, failed without a snapshot', async () => {
    const id = await s.site('shop.example', web)
    expect(await backUp(id, good(1))).toMatchObject({ status: 2, jobStatus: 2, bytes: 2000, files: 9, error: null })
    const partial = await backUp(id, { ...good(2), problem: '1 file could not be read' })
    expect(partial).toMatchObject({ status: 4, jobStatus: 2, error: expect.stringContaining('could not be read') })
    const failed = await backUp(id, good(3), { fails: 'backup-files.run' })
    expect(failed).toMatchObject({ status: 3, jobStatus: 3, error: expect.stringContaining('the disk is full') })
    const [tasks] = (await s.call('GET', `/backups/tasks?websiteId=${id}`)).body
    expect(tasks.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed', 'done'])
    const again = await backUp(id, good(4))
    expect(again.status).toBe(2)
  })

  it('is refused while a person has locked the repository, and allowed after', async () => {
    const id = await s.site('locked.example', web)
    await backUp(id, good(5))
    const [[repository]] = (await s.call('GET', '/backups/repositories')).body
    const path = `/backups/repositories/${repository.id}`
    expect((await s.call('POST', `${path}/lock`, {})).body).toMatchObject({ type: 'lock-all', reason: 'manual' })
    expect((await s.call('POST', `${path}/lock`, {})).status).toBe(409)
    expect((await s.call('POST', '/backups/backups', { websiteId: id, backupServerId: backupServer })).status).toBe(409)
    expect((await s.call('POST', `${path}/unlock`, {})).body.data.lockType).toBeNull()
    expect((await s.call('POST', `${path}/unlock`, {})).status).toBe(409)
    expect((await backUp(id, good(6))).status).toBe(2)
  })
})

describe('a prune', () => {
  it('holds back backups and restores of its repository, which take no slot of their machine meanwhile', async () => {
    const site = await s.site('pruned.example', web)
    const { id } = await backUp(site, good(80))
    const begun = await s.call('POST', `/backups/servers/${backupServer}/prune`)
    const [prune] = await claim(t.app.db, keeper, 'long', 1)
    expect(prune?.name).toBe('backup-repository.prune')
    const { body: preview } = await s.call('GET', `/backups/backups/${id}/restore`)
    expect(preview.warnings).toContainEqual(expect.stringContaining('is being pruned since'))
    await s.call('POST', '/backups/backups', { websiteId: site, backupServerId: backupServer })
    await s.call('POST', '/backups/restores', { backupId: id })
    for (const { id, attempt, name } of await claim(t.app.db, web, 'long', 9)) {
      expect(name).toBe('backup-program.ensure')
      await finish(t.app.db, web, [{ id, attempt, status: 'done', output: outputs[name] }])
    }
    expect(await claim(t.app.db, web, 'long', 9)).toEqual([])
    await finish(t.app.db, keeper, [{ id: prune!.id, attempt: prune!.attempt, status: 'done', output: {} }])
    expect(begun.status).toBe(202)
    // the restore first, because people wait for it
    const next = [...(await claim(t.app.db, web, 'long', 1)), ...(await claim(t.app.db, web, 'long', 9))]
    expect(next.map(({ name }) => name)).toEqual(['restore-files.prepare', 'backup-files.run'])
    const answers = next.map(({ id, attempt, name }) => ({
      id,
      attempt,
      status: 'done' as const,
      output: outputs[name],
    }))
    await finish(t.app.db, web, answers)
    await work()
  })
})

describe('a schedule', () => {
  it('starts a missed run once, within its spread, and leaves out a deleted website', async () => {
    const id = await s.site('nightly.example', web)
    const fields = { name: 'Nightly', websiteId: id, backupServerId: backupServer, when, keep, spread: 0 }
    const made = await s.call('POST', '/backups/schedules', fields)
    expect(made.status).toBe(201)
    await t.app.db.execute(sql`update backup_schedules set next_at = now() - interval '3 days'`)
    outputs['backup-files.run'] = good(7)
    await backupsDue(t.app)
    await backupsDue(t.app)
    await work()
    const list = () => s.call('GET', `/backups/backups?websiteId=${id}`)
    expect((await list()).body).toMatchObject([[{ mode: 'scheduled', status: 2 }], 1])
    const after = (await s.call('GET', `/backups/schedules/${made.body.id}`)).body
    expect(Date.parse(after.nextAt)).toBeGreaterThan(Date.now())
    await s.call('DELETE', `/websites/${id}`, {})
    await work()
    await t.app.db.execute(sql`update backup_schedules set next_at = now() - interval '1 hour'`)
    await backupsDue(t.app)
    expect((await list()).body[1]).toBe(1)
    expect((await s.call('GET', `/backups/schedules/${made.body.id}`)).body.rests).toContain('deleted')
  })

  it('is refused with a policy that keeps nothing', async () => {
    const none = { last: 0, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
    const id = await s.site('policy.example', web)
    const fields = { name: 'None', websiteId: id, backupServerId: backupServer, when, keep: none }
    expect((await s.call('POST', '/backups/schedules', fields)).body.fields).toHaveProperty('keep')
    const forget = await s.call('POST', `/backups/servers/${backupServer}/forget`, { keep: none })
    expect(forget).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/would remove all \d+ backups/) },
    })
  })
})

describe('a forget', () => {
  it('removes the backups of the preview, keeps held ones, and is refused if their number has changed', async () => {
    const id = await s.site('old.example', web)
    for (let n = 10; n < 15; n++) await backUp(id, good(n))
    await t.app.db.execute(sql`update backups set created_at = created_at - make_interval(days => 20 + backup_id)
      where website_id = ${id}`)
    const [[newest, , , , oldest]] = (await s.call('GET', `/backups/backups?websiteId=${id}`)).body
    await s.call('PATCH', `/backups/backups/${oldest.id}`, { held: true })
    const path = `/backups/servers/${backupServer}/forget`
    const one = { ...keep, last: 1, daily: 0 }
    const { body: preview } = await s.call('GET', path)
    expect((await s.call('POST', path, { keep: one, expected: preview.go + 1000 })).status).toBe(409)
    expect((await s.call('POST', path, { keep: one })).status).toBe(202)
    await work()
    const [left] = (await s.call('GET', `/backups/backups?websiteId=${id}`)).body
    expect(left.map((backup: { id: number }) => backup.id).sort()).toEqual([newest.id, oldest.id].sort())
  })
})

describe('a restore', () => {
  it('has a result for each part, and leaves out a deleted database', async () => {
    const id = await s.site('back.example', web)
    const { body } = await s.call('POST', '/database/databases', { websiteId: id, name: 'back_shop' })
    await work()
    const backup = await backUp(id, good(20))
    expect(backup.parts).toHaveLength(3)
    const preview = (await s.call('GET', `/backups/backups/${backup.id}/restore`)).body
    expect(preview).toMatchObject({
      website: 'back.example',
      warnings: [],
      databases: [{ name: 'back_shop', exists: true }],
    })
    const whole = await s.call('POST', '/backups/restores', { backupId: backup.id })
    expect(whole.status).toBe(202)
    await work()
    const of = (noun: string, restore: number) => s.call('GET', `/backups/tasks/restores/${restore}/${noun}`)
    expect((await of('websites', whole.body.data.id)).body).toMatchObject([[{ result: 'success' }], 1])
    expect((await of('databases', whole.body.data.id)).body).toMatchObject([
      [{ name: 'back_shop', result: 'success' }],
      1,
    ])
    await s.call('DELETE', `/database/databases/${body.data.id}`, { name: 'back_shop' })
    await work()
    const chosen = { backupId: backup.id, databases: [body.data.id] }
    expect((await s.call('POST', '/backups/restores', chosen)).body.fields).toHaveProperty('databases')
    const less = await s.call('POST', '/backups/restores', { backupId: backup.id })
    await work()
    expect((await s.call('GET', `/backups/tasks/restores/${less.body.data.id}`)).body.result).toBe('partial')
  })

  it('reopens the website when it fails while the website is closed', async () => {
    const id = await s.site('closed.example', web)
    const backup = await backUp(id, good(21))
    const { body } = await s.call('POST', '/backups/restores', { backupId: backup.id })
    await work('restore-files.swap')
    expect((await s.call('GET', `/backups/tasks/restores/${body.data.id}`)).body).toMatchObject({
      ...{ result: 'failed', error: expect.stringContaining('the disk is full') },
    })
    const [workflow] = await rows<{ status: string }>(
      t.app.db,
      sql`select status from workflows where workflow_id = ${body.workflowId}`,
    )
    expect(workflow?.status).toBe('rolled-back')
  })
})

describe('a backup of a website that is changed as a whole', () => {
  it('waits for the end of a restore or a move, and is partial if a restore began meanwhile', async () => {
    const id = await s.site('exchanged.example', web)
    const first = await backUp(id, good(90))
    const fields = { name: 'Exchanged', websiteId: id, backupServerId: backupServer, when, keep, spread: 0 }
    const { body: schedule } = await s.call('POST', '/backups/schedules', fields)
    const due = async () => {
      await t.app.db.execute(sql`update backup_schedules set next_at = now() - interval '1 hour'
        where backup_schedule_id = ${schedule.id}`)
      await backupsDue(t.app)
    }
    const states = async () =>
      (await s.call('GET', `/backups/backups?websiteId=${id}`)).body[0].map((one: { status: number }) => one.status)
    await s.call('POST', '/backups/restores', { backupId: first.id })
    const asked = { websiteId: id, backupServerId: backupServer }
    const refused = await s.call('POST', '/backups/backups', asked)
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('being restored') } })
    await due()
    expect(await states()).toEqual([2])
    await work()
    await t.app.db.execute(sql`update websites set status = 'migrating' where website_id = ${id}`)
    expect((await s.call('POST', '/backups/restores', { backupId: first.id })).body.message).toContain('is migrating')
    await due()
    expect(await states()).toEqual([2])
    await t.app.db.execute(sql`update websites set status = 'active' where website_id = ${id}`)
    await backupsDue(t.app)
    await work()
    expect(await states()).toEqual([2, 2])

    await s.call('POST', '/backups/backups', asked)
    let files: Awaited<ReturnType<typeof claim>> = []
    while (files[0]?.name !== 'backup-files.run') {
      for (const { id: one, attempt } of files)
        await finish(t.app.db, web, [{ id: one, attempt, status: 'done', output: {} }])
      files = await claim(t.app.db, web, 'long', 1)
    }
    await s.call('POST', '/backups/restores', { backupId: first.id })
    await work()
    await finish(t.app.db, web, [{ ...files[0]!, status: 'done', output: good(91) }])
    await work()
    const [last] = (await s.call('GET', `/backups/backups?websiteId=${id}`)).body[0]
    expect(last).toMatchObject({ status: 4, error: expect.stringContaining('was restored from a backup meanwhile') })

    const { body: moving } = await s.call('POST', '/backups/backups', asked)
    await t.app.db.execute(sql`with move as (insert into workflows (kind, subject_type, subject_id, subject_name, holder)
        values ('website.migrate', 'website', ${id}, 'exchanged.example', 'Erik') returning workflow_id)
      insert into actions (workflow_id, position, name, title, what, resource_type, resource_id, resource_name, input, lane, status, started_at)
        select workflow_id, 1, 'crontab.rest', '', '', 'crontab', ${id}, 'exchanged.example', '{}', 'short', 'done', now() from move`)
    await work()
    const moved = (await s.call('GET', `/backups/backups/${moving.data.id}`)).body
    expect(moved).toMatchObject({ status: 4, error: expect.stringContaining('its cron jobs may be missing') })

    const lost = (await s.call('POST', '/backups/backups', asked)).body
    await s.call('PATCH', `/websites/${id}/rename`, { newDomain: 'exchanged2.example' })
    await work('backup-files.run')
    expect((await s.call('GET', `/backups/backups/${lost.data.id}`)).body.error).toContain('was renamed meanwhile')
  })
})

describe('an alert', () => {
  const told = async () =>
    (
      await rows<{ title: string; level: string }>(
        t.app.db,
        sql`select title, level from notifications where reason = 'backup' order by notification_id`,
      )
    ).map(({ title, level }) => `${level}: ${title}`)

  it('notifies people once when it begins and once when it ends', async () => {
    await t.app.db.execute(sql`update backup_schedules set deleted_at = now()`)
    await alertsDue(t.app)
    await t.app.db.execute(sql`delete from notifications where reason = 'backup'`)
    const id = await s.site('late.example', web)
    const fields = { name: 'Late', websiteId: id, backupServerId: backupServer, when, keep, spread: 0 }
    const { body } = await s.call('POST', '/backups/schedules', fields)
    await alertsDue(t.app)
    expect(await told()).toEqual([])
    await t.app.db.execute(sql`update backup_schedules set created_at = now() - interval '30 hours'
      where backup_schedule_id = ${body.id}`)
    await t.app.db.execute(sql`update websites set created_at = now() - interval '30 hours' where website_id = ${id}`)
    await alertsDue(t.app)
    await alertsDue(t.app)
    expect(await told()).toEqual(['error: No good backup of late.example'])
    await backUp(id, good(30))
    await alertsDue(t.app)
    expect((await told()).at(-1)).toBe('success: A good backup of late.example again')
    await t.app.db.execute(sql`insert into backup_locks (backup_repository_id, source, type, reason, since)
      select backup_repository_id, 'restic', 'unspecified', 'unspecified', now() - interval '13 hours' from backup_repositories`)
    await t.app.db.execute(sql`update server_states set disk_total = 100, disk_used = 95 where server_id = ${keeper}`)
    await alertsDue(t.app)
    await t.app.db.execute(sql`update server_states set disk_used = 88 where server_id = ${keeper}`)
    await alertsDue(t.app)
    await t.app.db.execute(sql`update server_states set disk_used = 50 where server_id = ${keeper}`)
    await t.app.db.execute(sql`update backup_locks set state = 'unlocked' where source = 'restic'`)
    await alertsDue(t.app)
    expect((await told()).slice(2)).toEqual([
      'error: backup-1 is nearly full',
      expect.stringMatching(/^error: An old lock holds server-/),
      'success: backup-1 has room again',
      expect.stringMatching(/^success: The lock of server-.* is released/),
    ])
  })

  it('that ends because nobody watches any more is no good news', async () => {
    const id = await s.site('unwatched.example', web)
    const fields = { name: 'Unwatched', websiteId: id, backupServerId: backupServer, when, keep, spread: 0 }
    const { body } = await s.call('POST', '/backups/schedules', fields)
    const lastTitles = async () => {
      await t.app.db.execute(sql`delete from notifications where reason = 'backup'`)
      await alertsDue(t.app)
      return told()
    }
    await backUp(id, good(30))
    await lastTitles()
    await t.app.db.execute(
      sql`update backup_schedules set created_at = now() - interval '100 days' where backup_schedule_id = ${body.id}`,
    )
    await t.app.db.execute(sql`update websites set created_at = now() - interval '100 days' where website_id = ${id}`)
    await t.app.db.execute(sql`update backups set ended_at = now() - interval '99 days' where website_id = ${id}`)
    expect(await lastTitles()).toEqual([
      'error: No good backup of unwatched.example',
      'error: No proof for 90 days that unwatched.example can be restored',
    ])
    // the only good backup is gone, then the schedule
    await t.app.db.execute(sql`update backups set status = 3 where website_id = ${id}`)
    expect(await lastTitles()).toEqual([
      'info: No longer watched: “No proof for 90 days that unwatched.example can be restored”',
    ])
    await t.app.db.execute(sql`update backup_schedules set enabled = false where backup_schedule_id = ${body.id}`)
    expect(await lastTitles()).toEqual(['info: No longer watched: “No good backup of unwatched.example”'])
  })

  it('waits for its permitted hours before it starts a backup', async () => {
    const id = await s.site('hours.example', web)
    const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    const fields = { name: 'Hours', websiteId: id, backupServerId: backupServer, when, keep, spread: 0, limit: 500 }
    const hours = { from: clock(2), to: clock(4) }
    const { body } = await s.call('POST', '/backups/schedules', { ...fields, hours })
    await t.app.db.execute(sql`update backup_schedules set next_at = now() - interval '1 hour'
      where backup_schedule_id = ${body.id}`)
    const list = async () => (await s.call('GET', `/backups/backups?websiteId=${id}`)).body[1]
    await backupsDue(t.app)
    expect(await list()).toBe(0)
    const now = { version: body.version, hours: { from: clock(-2), to: clock(2) } }
    expect((await s.call('PATCH', `/backups/schedules/${body.id}`, now)).body).toMatchObject({ limit: 500 })
    await backupsDue(t.app)
    expect(await list()).toBe(1)
    const [sent] = await rows<{ limit: number }>(
      t.app.db,
      sql`select (a.input ->> 'limit')::int as limit from actions a join backups k on k.workflow_id = a.workflow_id
        where k.website_id = ${id} and a.name = 'backup-files.run'`,
    )
    expect(sent?.limit).toBe(500)
    const same = { version: body.version + 1, hours: { from: '02:00', to: '02:00' } }
    expect((await s.call('PATCH', `/backups/schedules/${body.id}`, same)).body.fields).toHaveProperty('hours')
  })
})
