import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../kit/db.ts'
import { actions } from '../kit/tables.ts'
import { openTestApp, type TestApp } from '../kit/test.ts'
import { answerRead, carryOutAll, enrolled } from '../kit/testWork.ts'
import { owners } from '../owners/tables.ts'
import { compared } from './looks.ts'
import { merges } from './tables.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-copies', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api${path}`, { token, body })

const copied = {
  at: '2026-11-21T10:00:00.000Z',
  files: 12,
  bytes: 3400,
  leftOut: 1,
  left: [{ path: 'link', why: 'leads out of the website, to /etc' }],
}
const adapted = { changed: [{ file: 'wp-config.php', application: 'WordPress', was: 'shop' }], proposals: [] }
const posts = { name: 'posts', rows: 3, sum: '77' }
const answers: Record<string, unknown> = {
  'document-root.copy': copied,
  'site-config.adapt': adapted,
  'database.inspect': { there: true, tables: [posts] },
}
/** Carries out all that is ready; what is called `failing` fails. */
const carryOut = (failing?: string) =>
  carryOutAll(t.app.db, server, ({ name }) =>
    name === failing ? { status: 'failed', reason: 'no' } : { output: answers[name] },
  )
/** A live website with a database. */
async function live(domain: string): Promise<number> {
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const wish = { originServer: server, domain, plan: 'Business', userId: kari!.id, database: true }
  const { body } = await call('POST', '/websites', wish)
  await carryOut()
  return body.data.id
}
async function copyOf(id: number): Promise<number> {
  const { body } = await call('POST', `/websites/${id}/staging`, { websiteId: id })
  await carryOut()
  return body.data.id
}
const planOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, input }) => ({ name, input: input as Record<string, unknown> }),
  )
const stagingsOf = async (id: number) => (await call('GET', `/websites/${id}/stagings`)).body

describe('a staging copy', () => {
  it('has a name, an account and a database of its own, is hidden, and its mail is held', async () => {
    const id = await live('copied.example')
    const { status, body } = await call('POST', `/websites/${id}/staging`, { websiteId: id })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ domain: 'staging-1.copied.example', kind: 'staging', environment: 'staging' })
    const plan = await planOf(body.workflowId)
    expect(plan.map(({ name }) => name).filter((name) => !/^(packages|mariadb)\./.test(name))).toEqual([
      ...['system-user.ensure', 'document-root.ensure', 'php-pool.ensure', 'database.ensure', 'database-user.ensure'],
      ...['document-root.copy', 'database.inspect', 'database.dump', 'database.load', 'site-config.adapt'],
      ...['nginx-site.ensure', 'website.probe'],
    ])
    const input = (name: string) => plan.find((one) => one.name === name)?.input
    expect(input('php-pool.ensure')).toMatchObject({ mail: 'hold' })
    expect(input('nginx-site.ensure')).toMatchObject({ noindex: true })
    expect(input('site-config.adapt')).toMatchObject({
      databases: [{ was: 'copied_example', password: { $secret: expect.any(String) } }],
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

  it('of a website that has one is the next; of a copy or a suspended website there is none', async () => {
    const id = await live('again.example')
    const first = await copyOf(id)
    expect((await call('POST', `/websites/${id}/staging`, {})).body.data.domain).toBe('staging-2.again.example')
    await carryOut()
    expect((await call('POST', `/websites/${first}/staging`, {})).status).toBe(422)
    expect((await call('POST', `/websites/${id}/staging`, { websiteId: id + 1 })).status).toBe(400)
    expect((await call('POST', `/websites/${id}/staging`, { domain: 'again.example' })).status).toBe(409)
    await call('PATCH', `/websites/${id}`, { status: 'suspended' })
    await carryOut()
    expect((await call('POST', `/websites/${id}/staging`, {})).status).toBe(422)
  })

  it('whose making is rolled back leaves neither website nor database', async () => {
    const id = await live('half.example')
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
        union all select 1 from database_users where website_id = ${body.data.id} and deleted_at is null`,
    )
    expect(left).toEqual([])
  })

  it('keeps its account to itself: the next website of the owner gets another, which may mail', async () => {
    const id = await live('apart.example')
    const copy = (await call('GET', `/websites/${await copyOf(id)}`)).body
    const wish = { originServer: server, domain: 'apart-2.example', plan: 'Business', userId: copy.ownerId }
    const { body } = await call('POST', '/websites', wish)
    expect(body.data.systemUserId).not.toBe(copy.systemUserId)
    await carryOut()
  })
})

describe('a merge', () => {
  it('dumps and loads databases with what was there kept, then changes the files; revert takes it back', async () => {
    const id = await live('merged.example')
    const copy = await copyOf(id)
    const { status, body } = await call('POST', '/stagings', { websiteId: copy })
    expect([status, body.data.id]).toEqual([202, id])
    const plan = await planOf(body.workflowId)
    expect(plan.map(({ name }) => name)).toEqual([
      ...['database.dump', 'database.load', 'document-root.merge', 'website.probe'],
    ])
    expect(plan[1]?.input).toMatchObject({ definer: 'merged_example', keep: expect.stringMatching(/^before-merge-/) })
    await carryOut()
    const [merge] = (await stagingsOf(id)).merges
    expect(merge).toMatchObject({ status: 'merged', files: true, stagingId: copy, tables: [{ tables: 'all' }] })
    const reverting = await call('POST', `/stagings/merges/${merge.id}/revert`)
    expect((await planOf(reverting.body.workflowId)).map(({ name }) => name)).toEqual([
      ...['database.load', 'document-root.revert', 'website.probe'],
    ])
    await carryOut()
    expect((await stagingsOf(id)).merges[0].status).toBe('reverted')
    expect((await call('POST', `/stagings/merges/${merge.id}/revert`)).status).toBe(409)
  })

  it('takes chosen tables and no files where asked; one that takes nothing is refused', async () => {
    const id = await live('chosen.example')
    const copy = await copyOf(id)
    const [{ databases }] = (await stagingsOf(id)).items
    const none = await call('POST', '/stagings', { websiteId: copy, files: false, tables: 'none' })
    expect(none).toMatchObject({ status: 422, body: { fields: { tables: expect.any(String) } } })
    const foreign = [{ databaseId: 9999, tables: ['posts'] }]
    expect((await call('POST', '/stagings', { websiteId: copy, tables: foreign })).status).toBe(422)
    const tables = [{ databaseId: databases[0].liveId, tables: ['posts', 'posts'] }]
    const { body } = await call('POST', '/stagings', { websiteId: copy, files: false, tables })
    const plan = await planOf(body.workflowId)
    expect(plan.map(({ name }) => name)).toEqual(['database.dump', 'database.load', 'website.probe'])
    expect(plan[0]?.input).toMatchObject({ tables: ['posts'] })
    await carryOut()
  })

  it('that is not the last, or whose snapshot is gone, is not reverted', async () => {
    const id = await live('later.example')
    const copy = await copyOf(id)
    for (let n = 0; n < 2; n++) {
      await call('POST', '/stagings', { websiteId: copy })
      await carryOut()
    }
    const [second, first] = (await stagingsOf(id)).merges
    const refused = await call('POST', `/stagings/merges/${first.id}/revert`)
    expect(refused.body.message).toContain(`Merge ${second.id} came after`)
    await t.app.db
      .update(merges)
      .set({ keptUntil: new Date(0).toISOString() })
      .where(eq(merges.id, second.id))
    expect((await call('POST', `/stagings/merges/${second.id}/revert`)).status).toBe(422)
  })

  it('asks for its own permission, an active copy, and the owner it was told', async () => {
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

it('what changed on the live website is asked of its server: files by their list, tables by their sums', async () => {
  const copy = await copyOf(await live('changes.example'))
  const asking = call('GET', `/stagings/${copy}/changes`)
  const items = [{ path: 'a.php', what: 'changed', bytes: 5 }]
  const answer = (output: unknown) => expect.poll(() => answerRead(t.app.db, server, output)).toBe(true)
  await answer({ known: true, at: copied.at, added: 0, changed: 1, gone: 0, items })
  await answer({ there: true, tables: [{ ...posts, rows: 4, sum: '78' }] })
  await answer({ there: true, tables: [posts, { ...posts, name: 'log' }] })
  expect((await asking).body).toMatchObject({
    changed: 1,
    files: [{ path: 'a.php' }],
    tables: [{ database: 'changes_example', name: 'posts', what: 'changed', rowsThen: 3, rows: 4 }],
    choices: [{ database: 'changes_example', tables: ['posts', 'log'] }],
  })
})

it('tables are others by their rows, their sum, or by being there', () => {
  const table = (name: string, rows = 1, sum = '1') => ({ name, rows, sum })
  const then = [table('same'), table('rows'), table('sum'), table('gone')]
  const now = [table('same'), table('rows', 2), table('sum', 1, '2'), table('new')]
  const seen = compared(then, now).map(({ name, what }) => `${name} ${what}`)
  expect(seen).toEqual(['gone gone', 'new added', 'rows changed', 'sum changed'])
})
