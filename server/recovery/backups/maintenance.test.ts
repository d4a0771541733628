import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessTo } from './repositories/access.ts'
import { toForget } from './repositories/maintenance.ts'
import { looksDue } from './repositoriesDue.ts'
import { backupSizes, backups } from './tables.ts'
import { good, openBackups } from './test/backups.ts'

let b: Awaited<ReturnType<typeof openBackups>>
beforeAll(async () => {
  b = await openBackups()
  const second = await b.other('web-2')
  for (const [n, server] of [b.web, second].entries()) {
    const site = await b.s.site(`kept-${n}.example`, server)
    for (let k = 1; k < 7; k++) await b.backUp(site, good(100 * (n + 1) + k))
  }
})
afterAll(() => b.t.close())

const call = (method: 'GET' | 'POST', path: string, body = {}) =>
  b.s.call(method, `/backups/${path}`, method === 'GET' ? undefined : body)
const path = (task: 'prune' | 'forget') => `servers/${b.backupServer}/${task}`
const tasks = async (type: string) =>
  Object.fromEntries(
    (await call('GET', `tasks?type=${type}`)).body[0].map(
      (one: { subject: string; status: string; message: string }) => [
        one.subject,
        `${one.status} ${one.message ?? ''}`,
      ],
    ),
  )

it('a prune of all repositories reaches each, whichever fails', async () => {
  const begun = await call('POST', path('prune'))
  expect(begun.body).toMatchObject({ workflowIds: [begun.body.workflowId, expect.any(Number)], refused: [] })
  await b.work(({ input }) => input.account === `server-${b.web}`)
  const found = await tasks('prune')
  const [broken, whole] = Object.keys(found).sort()
  expect(found[broken!]).toContain('failed Prune: the disk is full')
  expect(found[whole!]).toMatch(/^done/)
})

it('a locked repository does not hold up the prune of the others', async () => {
  const [[one, other]] = (await call('GET', 'repositories')).body
  await call('POST', `repositories/${one.id}/lock`)
  const { body } = await call('POST', path('prune'))
  expect(body.workflowIds).toHaveLength(1)
  expect(body.refused).toMatchObject([{ account: one.account, message: expect.stringContaining('is locked by') }])
  await call('POST', `repositories/${other.id}/lock`)
  expect((await call('POST', path('prune'))).status).toBe(409)
  for (const { id } of [one, other]) await call('POST', `repositories/${id}/unlock`)
  await b.work()
})

it('judges every backup, whatever the number of those that one query reads', async () => {
  const whole = await toForget(b.t.app.db, b.backupServer, {})
  expect(whole).toMatchObject({ stay: 4, go: 8 })
  expect(await toForget(b.t.app.db, b.backupServer, {}, 1)).toEqual(whole)
})

it('judges the backups of a moved website in each repository alone, by hand as by a schedule', async () => {
  const { app } = b.t
  const [[one, other]] = (await call('GET', 'repositories')).body
  const move = (from: number, to: number) =>
    app.db.execute(sql`update backups set backup_repository_id = ${to} where backup_repository_id = ${from}
      and backup_id in (select backup_id from backups where domain = 'kept-0.example' order by backup_id limit 3)`)
  const away = (await app.db.$count(backups, sql`domain = 'kept-0.example' and backup_repository_id = ${one.id}`)) > 0
  const [from, to] = away ? [one.id, other.id] : [other.id, one.id]
  await move(from, to)
  const alone = await Promise.all([from, to].map((repositoryId) => toForget(app.db, b.backupServer, { repositoryId })))
  const together = await toForget(app.db, b.backupServer, {})
  expect(together).toMatchObject({ stay: 6, go: 6 })
  expect(together.goes).toEqual(alone.flatMap(({ goes }) => goes).toSorted((x, y) => x - y))
  await move(to, from)
})

it('a forget that fails keeps the backups of the snapshots that are still there', async () => {
  // four backups of 1,500 snapshots in two steps, of which the second fails
  const more = sql`select jsonb_agg(parts -> 0 || jsonb_build_object('snapshot', lpad(to_hex(backup_id * 10000 + n), 64, 'f')))
    from generate_series(1, 1500) n`
  await b.t.app.db.execute(sql`update backups set parts = parts || (${more}) where domain = 'kept-1.example'`)
  const begun = await call('POST', path('forget'), { expected: 8 })
  expect(begun.body.workflowIds).toHaveLength(2)
  let steps = 0
  await b.work(({ input }) => input.account !== `server-${b.web}` && ++steps === 2)
  const left = async (domain: string) => (await call('GET', `backups?search=${domain}`)).body[1]
  expect(await left('kept-0.example')).toBe(2)
  expect(await left('kept-1.example')).toBe(3)
  expect(await toForget(b.t.app.db, b.backupServer, {})).toMatchObject({ go: 1 })
})

it('keeps one size of a repository for each day, the last', async () => {
  const { app } = b.t
  const [[{ id }]] = (await call('GET', 'repositories')).body
  await app.db.execute(sql`delete from backup_sizes where backup_repository_id = ${id}`)
  await app.db.execute(
    sql`insert into backup_sizes (backup_repository_id, at, size) values (${id}, now() - interval '5 days', 100)`,
  )
  for (const size of [4000, 5000]) {
    b.outputs['backup-repository.look'] = { size, snapshots: 2, locks: [] }
    await app.db.execute(sql`update backup_repositories set seen_at = null`)
    await looksDue(app)
    await b.work()
  }
  expect((await call('GET', `repositories/${id}/sizes`)).body).toMatchObject({
    days: [{ size: 100 }, { size: 5000 }],
    growth: 980,
  })
  expect(await app.db.$count(backupSizes, eq(backupSizes.repositoryId, id))).toBe(2)
})

it('a backup that is being removed cannot be held, nor a repository with a held backup be removed', async () => {
  const site = await b.s.site('held.example', b.web)
  const [first, second] = [(await b.backUp(site, good(901))).id, (await b.backUp(site, good(902))).id]
  const change = (id: number, held: boolean) => b.s.call('PATCH', `/backups/backups/${id}`, { held })
  const removing = await b.s.call('DELETE', `/backups/backups/${first}`, {})
  expect(removing.status).toBe(202)
  expect(await change(first, true)).toMatchObject({ status: 409, body: { message: 'This backup is being removed' } })
  await b.work()
  expect((await change(second, true)).status).toBe(200)
  // whoever chose it before it was held removes nothing
  const [row] = await b.t.app.db.select().from(backups).where(eq(backups.id, second))
  const { forgetThese } = await import('./repositories/startMaintenance.ts')
  const access = await accessTo(b.t.app.db, row!.repositoryId)
  const server = { id: b.backupServer, name: 'backup-1' }
  const forget = b.t.app.db.transaction((tx) => forgetThese(tx, server, access, [second], { id: null, name: 'x' }))
  await expect(forget).rejects.toThrow('are held')
  const remove = () => b.s.call('DELETE', `/backups/repositories/${access.id}`, { name: access.account })
  expect((await remove()).body.message).toContain('are held')
  await change(second, false)
  expect((await remove()).status).toBe(202)
  expect((await change(second, true)).body.message).toContain('is being removed with all its backups')
  expect((await b.s.call('POST', '/backups/backups', { websiteId: site, backupServerId: b.backupServer })).status).toBe(
    409,
  )
  await b.work()
})
