import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actions } from '../../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { answerReads, carryOutAll, enrolled } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'

let t: TestApp
let token: string
let server: number
let other: number
let websiteId: number
let database: number
const result = {
  ...{ values: 3, count: 5, changed: 3 },
  columns: [{ table: 'wp_options', column: 'option_value', values: 3, count: 5 }],
  left: [{ table: 'wp_options', column: 'option_value', why: 'unreadable', values: 1 }],
}
beforeAll(async () => {
  t = await openTestApp()
  token = (await t.somebody('admin')).token
  const ready = { provisionedAt: new Date().toISOString() }
  server = await enrolled(t.app.db, 'web-replace', ready)
  other = await enrolled(t.app.db, 'web-replace-2', ready)
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@replace.example' }).returning()
  const { body } = await call('POST', '/websites', {
    ...{ originServer: server, domain: 'replace.example', plan: 'Business', userId: kari!.id, database: true },
  })
  await work()
  websiteId = body.data.id
  database = (await call('GET', `/database/websites/${websiteId}`)).body.items[0].id
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token, body })
const work = (failing?: string) =>
  carryOutAll(t.app.db, server, ({ name, task }) =>
    name === failing && task === 'run'
      ? { status: 'failed', reason: 'Data too long' }
      : { output: name === 'database.replace' ? result : undefined },
  )
const planOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, input }) => (name === 'nginx-site.ensure' ? String(input.state) : name),
  )
const texts = { from: 'http://old.example', to: 'https://new.example' }
const replace = (body: object = texts, id = websiteId) => call('POST', `/database/websites/${id}/replacements`, body)
const made = async () => (await call('GET', `/database/websites/${websiteId}/replacements`)).body.items

describe('replacements', () => {
  it('are searched for without changing anything, and refused beside the wrong field', async () => {
    const found = { ...result, tables: 12, unsearched: [], columns: [{ ...result.columns[0], samples: [] }] }
    const asked: object[] = []
    const answer = await answerReads(
      t.app.db,
      server,
      ({ input }) => {
        asked.push(input)
        return found
      },
      call('POST', `/database/websites/${websiteId}/search`, {
        ...texts,
        databases: [{ id: database, tables: ['a'] }],
      }),
    )
    expect(answer.body.items).toMatchObject([{ databaseId: database, values: 3, left: result.left }])
    expect(asked).toMatchObject([{ ...texts, how: 'text', tables: ['a'] }])
    for (const [body, field] of [
      [{ ...texts, to: texts.from }, 'to'],
      [{ ...texts, from: 'a\nb' }, 'from'],
      [{ ...texts, how: 'domain' }, 'from'],
      [{ ...texts, databases: [{ id: 999 }] }, 'databases'],
    ] as const)
      expect(Object.keys((await replace(body)).body.fields ?? {})).toEqual([field])
    expect(await made()).toEqual([])
  })

  it('run while the website is closed, keep the former values, and can be put back once', async () => {
    const { body } = await replace()
    expect(await planOf(body.workflowId)).toEqual([
      ...[expect.stringContaining('probe-before'), 'maintenance', 'php-pool.renew', 'database.replace'],
      ...['php-pool.renew', 'active'],
      expect.stringContaining('probe'),
    ])
    expect((await replace()).status).toBe(409)
    await work()
    const [one] = await made()
    expect(one).toMatchObject({
      ...texts,
      how: 'text',
      status: 'replaced',
      notRevertible: null,
      databases: [{ result }],
    })
    const back = () => call('POST', `/database/replacements/${one.id}/put-back`, {})
    const begun = await back()
    expect(await planOf(begun.body.workflowId)).toContain('database.put-back')
    expect((await back()).status).toBe(422)
    await work()
    expect(await made()).toMatchObject([{ status: 'reverted', notRevertible: 'This replacement is reverted' }])
  })

  it('that fail reopen the website by themselves', async () => {
    const { body } = await replace()
    await work('database.replace')
    expect((await made())[0]).toMatchObject({ status: 'undone' })
    const [, site] = await t.app.db
      .select()
      .from(actions)
      .where(eq(actions.workflowId, body.workflowId))
      .orderBy(actions.position)
    expect([site?.name, site?.task]).toEqual(['nginx-site.ensure', 'undo'])
  })

  it('run in a suspended website without opening it, and cannot be put back after the website has moved', async () => {
    await call('PATCH', `/websites/${websiteId}`, { status: 'suspended' })
    await work()
    const { body } = await replace({ ...texts, databases: [{ id: database }] })
    expect(await planOf(body.workflowId)).toEqual(['database.replace'])
    await work()
    const { websites } = await import('../../websites/tables.ts')
    await t.app.db.update(websites).set({ serverId: other }).where(eq(websites.id, websiteId))
    const [one] = await made()
    expect(one.notRevertible).toBe('The website has moved since: the former values are on web-replace')
    expect((await call('POST', `/database/replacements/${one.id}/put-back`, {})).status).toBe(422)
    await t.app.db.update(websites).set({ serverId: server }).where(eq(websites.id, websiteId))
  })

  it('are part of a rename that requests them, and are undone with the rename', async () => {
    await call('PATCH', `/websites/${websiteId}`, { status: 'active' })
    await work()
    const wish = { newDomain: 'renamed.example', databases: true }
    const plan = await call('POST', `/websites/${websiteId}/rename/plan`, wish)
    expect(plan.body.actions.map(({ name }: { name: string }) => name)).toContain('database.replace')
    const { body } = await call('PATCH', `/websites/${websiteId}/rename`, wish)
    expect((await made())[0]).toMatchObject({ status: 'replacing', from: 'replace.example', to: 'renamed.example' })
    const planned = await t.app.db
      .select()
      .from(actions)
      .where(eq(actions.workflowId, body.workflowId))
      .orderBy(actions.position)
    const of = (name: string) => planned.filter((one) => one.name === name).map(({ input }) => input)
    // visitors see the maintenance page while values change, under both names
    const names = planned.map(({ name }) => name)
    expect(of('nginx-site.ensure').at(-1)).toMatchObject({ state: 'maintenance', before: 'active' })
    expect(of('nginx-site.ensure').at(-1)).toMatchObject({ domain: 'replace.example' })
    expect(names.lastIndexOf('nginx-site.ensure')).toBeLessThan(names.indexOf('database.replace'))
    expect(of('nginx-site.rename')).toEqual([
      expect.objectContaining({ state: 'active', beforeState: 'maintenance', domain: 'renamed.example' }),
    ])
    // a website that stays closed is opened again: the rename rolls back by itself
    await work('nginx-site.rename')
    expect((await made())[0]).toMatchObject({ status: 'undone', how: 'domain' })
    await call('PATCH', `/websites/${websiteId}/rename`, wish)
    await work()
    expect((await made())[0]).toMatchObject({ status: 'replaced', databases: [{ id: database, result }] })
  })
})
