import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { actions } from '../../kit/work/tables.ts'
import { redisCaches } from '../redis/tables.ts'
import { websites } from '../websites/tables.ts'
import { merges } from './tables.ts'
import {
  adapted,
  call,
  calm,
  calmDigest,
  carryOut,
  copied,
  copyOf,
  live,
  looking,
  merge,
  openStagings,
  planOf,
  posts,
  server,
  stagingsOf,
  t,
} from './test/stagings.ts'

beforeAll(openStagings)
afterAll(() => t.close())

describe('a staging copy', () => {
  it('has its own name, account and database, is hidden from search engines, and does not send its mail', async () => {
    const id = await live('copied.example')
    const { status, body } = await call('POST', `/websites/${id}/staging`, { websiteId: id })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ domain: 'staging-1.copied.example', kind: 'staging', environment: 'staging' })
    const plan = await planOf(body.workflowId)
    expect(plan.map(({ name }) => name).filter((name) => !/^(packages|mariadb)\./.test(name))).toEqual([
      ...['system-user.ensure', 'document-root.ensure', 'php-pool.ensure', 'database.ensure', 'database-user.ensure'],
      ...[
        'document-root.copy',
        'database.inspect',
        'database.dump',
        'database.load',
        'database.own-names',
        'site-config.adapt',
      ],
      ...['nginx-site.ensure', 'website.probe'],
    ])
    const input = (name: string) => plan.find((one) => one.name === name)?.input
    expect(input('php-pool.ensure')).toMatchObject({ mail: 'hold' })
    expect(input('nginx-site.ensure')).toMatchObject({ noindex: true })
    expect(input('site-config.adapt')).toMatchObject({
      databases: [{ was: 'copied_example', password: { $secret: expect.any(String) } }],
      names: { from: 'copied.example', to: 'staging-1.copied.example' },
      from: input('document-root.copy')?.from,
    })
    await carryOut()
    const { items } = await stagingsOf(id)
    expect(items).toMatchObject([
      {
        website: { id: body.data.id, status: 'active' },
        liveId: id,
        copiedAt: copied.at,
        report: { files: 12, leftOut: 1, changed: adapted.changed },
        databases: [{ name: 'staging_1_copied_example', liveName: 'copied_example' }],
      },
    ])
    expect((await stagingsOf(body.data.id)).items).toHaveLength(1)
  })

  it('is numbered if the website has one; a copy or suspended website cannot be copied', async () => {
    const id = await live('again.example')
    await call('PATCH', `/origin-vhost/vhosts/${id}/wildcard`, { wildcard: true })
    await carryOut()
    const first = await copyOf(id)
    // a network of WordPress answers under names below its own
    expect((await call('GET', `/origin-vhost/vhosts/${first}`)).body).toMatchObject({ wildcard: true })
    expect((await call('POST', `/websites/${id}/staging`, {})).body.data.domain).toBe('staging-2.again.example')
    await carryOut()
    expect((await call('POST', `/websites/${first}/staging`, {})).status).toBe(422)
    expect((await call('POST', `/websites/${id}/staging`, { websiteId: id + 1 })).status).toBe(400)
    expect((await call('POST', `/websites/${id}/staging`, { domain: 'again.example' })).status).toBe(409)
    await call('PATCH', `/websites/${id}`, { status: 'suspended' })
    await carryOut()
    expect((await call('POST', `/websites/${id}/staging`, {})).status).toBe(422)
  })

  it('leaves neither website nor database after a rollback', async () => {
    const id = await live('half.example')
    await call('PATCH', `/origin-vhost/vhosts/${id}/wildcard`, { wildcard: true })
    await carryOut()
    const { body } = await call('POST', `/websites/${id}/staging`, {})
    await carryOut('document-root.copy')
    expect((await call('GET', `/websites/${body.data.id}`)).body.status).toBe('failed')
    const all = await t.app.db.select().from(actions).where(eq(actions.workflowId, body.workflowId))
    const stopped = all.find(({ status }) => status === 'failed')!
    await call('PATCH', `/workflows/${body.workflowId}/actions/${stopped.id}`, { actionType: 'rollback', reason: 'no' })
    await carryOut()
    expect((await call('GET', `/websites/${body.data.id}`)).status).toBe(404)
    expect((await stagingsOf(id)).items).toEqual([])
    const left = await rows(
      t.app.db,
      sql`select 1 from databases where website_id = ${body.data.id} and deleted_at is null
        union all select 1 from database_users where website_id = ${body.data.id} and deleted_at is null
        union all select 1 from websites where parent_id = ${body.data.id} and deleted_at is null`,
    )
    expect(left).toEqual([])
  })

  it('does not lock the live website when it stops, and continues when that is unlocked', async () => {
    const id = await live('usable.example')
    const { body } = await call('POST', `/websites/${id}/staging`, {})
    expect((await call('PATCH', `/websites/${id}`, { status: 'suspended' })).status).toBe(409)
    await carryOut('document-root.copy')
    expect((await call('PATCH', `/websites/${id}`, { status: 'suspended' })).status).toBe(202)
    const busy = await call('PATCH', `/websites/${body.data.id}/retry`, {})
    expect(busy).toMatchObject({ status: 409, body: { message: expect.stringContaining('is being suspended') } })
    await carryOut()
    expect((await call('PATCH', `/websites/${body.data.id}/retry`, {})).status).toBe(202)
    expect((await call('PATCH', `/websites/${id}`, { status: 'active' })).status).toBe(409)
    await carryOut()
    expect((await call('GET', `/websites/${body.data.id}`)).body.status).toBe('active')
    expect((await call('PATCH', `/websites/${id}`, { status: 'active' })).status).toBe(202)
    await carryOut()
  })

  it('has an account of its own: the owner’s next website gets another, which may send mail', async () => {
    const id = await live('apart.example')
    const copy = (await call('GET', `/websites/${await copyOf(id)}`)).body
    const requested = { originServer: server, domain: 'apart-2.example', plan: 'Business', userId: copy.ownerId }
    const { body } = await call('POST', '/websites', requested)
    expect(body.data.systemUserId).not.toBe(copy.systemUserId)
    await carryOut()
  })
})

describe('a merge', () => {
  it('loads databases after a backup, then changes the files; revert restores both', async () => {
    const id = await live('merged.example')
    await t.app.db.insert(redisCaches).values({ websiteId: id, state: 'on' })
    const copy = await copyOf(id)
    const { status, body } = await merge({ websiteId: copy })
    expect([status, body.data.id]).toEqual([202, id])
    const plan = await planOf(body.workflowId)
    expect(plan.map(({ name }) => name)).toEqual([
      ...['database.dump', 'merge.prepare', 'database.marks', 'website.probe-before', 'nginx-site.ensure'],
      ...['database.unchanged', 'php-pool.renew', 'database.load', 'database.own-names', 'merge.swap', 'redis.ensure'],
      'php-pool.renew',
      ...['nginx-site.ensure', 'website.probe', 'merge.keep'],
    ])
    expect(plan[1]?.input.seen).toBe(calmDigest)
    expect(plan[2]?.input).toMatchObject({ expected: { posts: '77' }, complete: true })
    // in the plan of a rollback, which is reversed, the restart of PHP precedes its step
    expect([plan[6]?.input.back, plan[11]?.input.back]).toEqual([true, undefined])
    // the website is closed while its tables and files change
    expect(plan[4]?.input).toMatchObject({ state: 'maintenance', before: 'active' })
    expect(plan[10]?.input).toMatchObject({ empty: true })
    expect(plan[12]?.input).toMatchObject({ state: 'active', before: 'maintenance' })
    expect(plan[7]?.input).toMatchObject({ definer: 'merged_example', keep: expect.stringMatching(/^before-merge-/) })
    expect((await call('GET', `/workflows/${body.workflowId}`)).body.actions[0].undoLoses).toContain('tables since')
    await carryOut()
    const [first] = (await stagingsOf(id)).merges
    expect(first).toMatchObject({ status: 'merged', files: true, paths: null })
    const reverting = await call('POST', `/stagings/merges/${first.id}/revert`)
    const back = await planOf(reverting.body.workflowId)
    expect(back.map(({ name }) => name)).toEqual([
      ...['merge.bring', 'website.probe-before', 'nginx-site.ensure', 'php-pool.renew', 'database.load', 'merge.swap'],
      ...['redis.ensure', 'php-pool.renew', 'nginx-site.ensure', 'website.probe', 'merge.keep'],
    ])
    expect(back[0]?.input).toMatchObject({
      taken: [expect.any(Number)],
      files: [expect.stringMatching(/^before-merge-/)],
    })
    await carryOut()
    expect((await stagingsOf(id)).merges[0].status).toBe('reverted')
    expect((await call('POST', `/stagings/merges/${first.id}/revert`)).status).toBe(409)
  })

  it('is refused if the live website has changed, until exactly this state is confirmed', async () => {
    const copy = await copyOf(await live('unseen.example'))
    const written = { 'database.inspect': { there: true, tables: [{ ...posts, rows: 4, sum: '78' }] } }
    const blind = await merge({ websiteId: copy }, written)
    expect(blind).toMatchObject({
      status: 409,
      body: { fields: { seen: expect.any(String) }, current: { tables: [{ name: 'posts', rowsThen: 3, rows: 4 }] } },
    })
    const { digest: seen } = blind.body.current
    const later = { 'database.inspect': { there: true, tables: [{ ...posts, rows: 5, sum: '79' }] } }
    const stale = await merge({ websiteId: copy, seen }, later)
    expect([stale.status, stale.body.message]).toEqual([409, expect.stringContaining('since you looked')])
    const unknown = { 'document-root.changes': { ...(calm['document-root.changes'] as object), known: false } }
    expect((await merge({ websiteId: copy }, unknown)).body.message).toContain('is unknown')
    // parts that are not merged may change
    const parts = { files: true, tables: 'none' }
    expect((await merge({ websiteId: copy, ...parts }, later)).status).toBe(202)
    await carryOut()
    expect((await merge({ websiteId: copy, seen }, written)).status).toBe(202)
    await carryOut()
  })

  it('takes chosen tables without files; an empty selection is refused', async () => {
    const id = await live('chosen.example')
    const copy = await copyOf(id)
    const [{ databases }] = (await stagingsOf(id)).items
    const none = await merge({ websiteId: copy, files: false, tables: 'none' })
    expect(none).toMatchObject({ status: 422, body: { fields: { tables: expect.any(String) } } })
    const foreign = [{ databaseId: 9999, tables: ['posts'] }]
    expect((await merge({ websiteId: copy, tables: foreign })).status).toBe(422)
    const tables = [{ databaseId: databases[0].liveId, tables: ['posts', 'posts'] }]
    const { body } = await merge({ websiteId: copy, files: false, tables })
    const plan = await planOf(body.workflowId)
    expect(plan.map(({ name }) => name)).toEqual([
      ...['database.dump', 'database.marks', 'website.probe-before', 'nginx-site.ensure', 'database.unchanged'],
      ...['php-pool.renew', 'database.load', 'database.own-names', 'php-pool.renew', 'nginx-site.ensure'],
      'website.probe',
    ])
    for (const at of [0, 4, 6, 7]) expect(plan[at]?.input).toMatchObject({ tables: ['posts'] })
    await carryOut()
    // rows that were written to other tables meanwhile stay
    const [made] = (await stagingsOf(id)).merges
    const reverting = await call('POST', `/stagings/merges/${made.id}/revert`)
    const load = (await planOf(reverting.body.workflowId)).find(({ name }) => name === 'database.load')
    expect(load?.input).toMatchObject({ tables: ['posts'], lacking: 'go' })
    await carryOut()
  })

  it('takes chosen paths only, inside the folder, without line breaks, and existing', async () => {
    const id = await live('paths.example')
    const copy = await copyOf(id)
    for (const path of ['../x', '/etc/passwd', 'public/../../x', 'public//x', 'public/', '.', 'a\nb', 'caf\ufffd', ''])
      expect((await merge({ websiteId: copy, paths: [path] })).status, path).toBe(400)
    const without = await merge({ websiteId: copy, files: false, paths: ['public'] })
    expect(without).toMatchObject({ status: 422, body: { fields: { paths: 'Files are not selected' } } })
    const missing = {
      'document-root.changes': { ...(calm['document-root.changes'] as object), unknown: ['public/no'] },
    }
    const nowhere = await merge({ websiteId: copy, paths: ['public/no'] }, missing)
    expect(nowhere).toMatchObject({ status: 422, body: { fields: { paths: 'There is no public/no' } } })
    const paths = ['public/wp-content/themes', 'public/snø 🫐.txt']
    const { body } = await merge({ websiteId: copy, paths, tables: 'none' })
    const plan = await planOf(body.workflowId)
    expect(plan.map(({ name }) => name)).toEqual([
      ...['merge.prepare', 'website.probe-before', 'nginx-site.ensure', 'php-pool.renew', 'merge.swap'],
      ...['php-pool.renew', 'nginx-site.ensure', 'website.probe', 'merge.keep'],
    ])
    for (const at of [4, 8]) expect(plan[at]?.input).toMatchObject({ paths })
    expect(plan[0]?.input).toMatchObject({ paths, from: { path: expect.stringContaining('staging-1.paths.example') } })
    await carryOut()
    expect((await stagingsOf(id)).merges[0]).toMatchObject({ status: 'merged', paths })
  })

  it('cannot be reverted if it is not the last one, or its snapshot was deleted', async () => {
    const id = await live('later.example')
    const copy = await copyOf(id)
    for (let n = 0; n < 2; n++) {
      await merge({ websiteId: copy })
      await carryOut()
    }
    const [second, first] = (await stagingsOf(id)).merges
    const refused = await call('POST', `/stagings/merges/${first.id}/revert`)
    expect(refused.body.message).toContain(`Merge ${second.id} is newer`)
    await t.app.db
      .update(merges)
      .set({ keptUntil: new Date(0).toISOString() })
      .where(eq(merges.id, second.id))
    expect((await call('POST', `/stagings/merges/${second.id}/revert`)).status).toBe(422)
  })

  it('reopens the website automatically if it fails during maintenance, and can be started again', async () => {
    const id = await live('reopened.example')
    const copy = await copyOf(id)
    const { body } = await merge({ websiteId: copy })
    await carryOut('merge.swap')
    const rest = await planOf(body.workflowId)
    const of = (name: string) => rest.filter((one) => one.name === name).map(({ status }) => status)
    expect([of('nginx-site.ensure'), of('merge.prepare')]).toEqual([['undone', 'skipped'], ['undone']])
    expect([of('database.load'), of('merge.keep')]).toEqual([['undone'], ['skipped']])
    expect((await stagingsOf(id)).merges[0]).toMatchObject({ status: 'undone' })
    expect((await merge({ websiteId: copy })).status).toBe(202)
    await carryOut()
  })

  it('cannot be reverted on another server, because the former data stayed on the old server', async () => {
    const id = await live('moved-on.example')
    const copy = await copyOf(id)
    await merge({ websiteId: copy })
    await carryOut()
    const [made] = (await stagingsOf(id)).merges
    expect(made.notRevertible).toBeNull()
    const { systemUserId } = (await call('GET', `/websites/${id}`)).body
    const revert = () => call('POST', `/stagings/merges/${made.id}/revert`)
    const elsewhere = sql`(select min(system_user_id) from system_users where system_user_id <> ${systemUserId})`
    await t.app.db.update(websites).set({ systemUserId: elsewhere }).where(eq(websites.id, id))
    const message = expect.stringContaining('moved-on.example has moved')
    expect((await stagingsOf(id)).merges[0].notRevertible).toEqual(message)
    expect(await revert()).toMatchObject({ status: 422, body: { message } })
    // after a move back, the revert is possible again; a revert that was rolled back can be repeated
    await t.app.db.update(websites).set({ systemUserId }).where(eq(websites.id, id))
    await revert()
    await carryOut('database.load')
    const again = await revert()
    expect((await planOf(again.body.workflowId))[0]?.input).toMatchObject({ taken: [expect.any(Number)] })
    await carryOut()
    expect((await stagingsOf(id)).merges[0].status).toBe('reverted')
  })

  it('needs its own permission, an active copy, and the right owner', async () => {
    const id = await live('asks.example')
    const copy = await copyOf(id)
    const reader = (await t.somebody(['website:website:read', 'website:staging:create'])).token
    expect((await call('POST', '/stagings', { websiteId: copy }, reader)).status).toBe(403)
    expect((await call('POST', '/stagings', { websiteId: id })).status).toBe(404)
    expect((await call('POST', '/stagings', { websiteId: copy, userId: 1 })).status).toBe(422)
    await call('PATCH', `/websites/${copy}`, { status: 'suspended' })
    await carryOut()
    expect((await call('POST', '/stagings', { websiteId: copy })).status).toBe(422)
  })
})

describe('the changes of the live website', () => {
  const items = [{ path: 'a.php', what: 'changed', bytes: 5 }]
  const files = [{ path: 'b.php', what: 'added', bytes: 7, liveBytes: null, nameable: true }]
  const looks = {
    'document-root.changes': {
      ...{ known: true, at: copied.at, added: 0, changed: 1, gone: 0, items, digest: 'd'.repeat(64), unknown: [] },
      differences: { added: 1, changed: 0, gone: 0, files },
    },
    'database.inspect': {
      there: true,
      tables: [
        { ...posts, rows: 4, sum: '78' },
        { ...posts, name: 'log' },
      ],
    },
  }

  it('are requested from its server: files by list, tables by checksum, and the effect of a merge', async () => {
    const copy = await copyOf(await live('changes.example'))
    const { body } = await looking(`/stagings/${copy}/changes`, undefined, looks)
    expect(body).toMatchObject({
      changed: 1,
      files: [{ path: 'a.php' }],
      differences: { added: 1, files: [{ path: 'b.php', liveBytes: null }] },
      tables: [
        { database: 'changes_example', name: 'log', what: 'added' },
        { database: 'changes_example', name: 'posts', what: 'changed', rowsThen: 3, rows: 4 },
      ],
      choices: [{ database: 'changes_example', tables: ['posts', 'log'] }],
    })
  })

  it('cover the requested parts only, with a digest of these', async () => {
    const id = await live('some.example')
    const copy = await copyOf(id)
    const [{ databases }] = (await stagingsOf(id)).items
    const tables = [{ databaseId: databases[0].liveId, tables: ['posts'] }]
    const ask = (body: unknown) => looking(`/stagings/${copy}/changes`, body, looks).then((answer) => answer.body)
    const one = await ask({ files: false, tables })
    expect(one).toMatchObject({ changed: 0, files: [], tables: [{ name: 'posts' }] })
    expect((await ask({ files: false, tables })).digest).toBe(one.digest)
    expect((await ask({ tables })).digest).not.toBe(one.digest)
    expect((await ask({ files: false, tables: 'all' })).digest).not.toBe(one.digest)
    const merged = await looking('/stagings', { websiteId: copy, files: false, tables: 'all', seen: one.digest }, looks)
    expect([merged.status, merged.body.message]).toEqual([409, expect.stringMatching(/^You looked at other files/)])
  })
})
