import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actions } from '../kit/tables.ts'
import { openTestApp, type TestApp } from '../kit/test.ts'
import { carryOutAll, enrolled } from '../kit/testWork.ts'
import { owners } from '../owners/tables.ts'
import { websites } from '../websites/tables.ts'
import { endOldNames } from './oldNames.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-names', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api/websites${path}`, { token, body })
/** Carries out all that is ready; what is called `failing` fails. */
const carryOut = (failing?: string) =>
  carryOutAll(t.app.db, server, ({ name }) => (name === failing ? { status: 'failed', reason: 'no' } : {}))
const owner = async (name = 'Kari') =>
  (await t.app.db.insert(owners).values({ name, email: 'kari@example.org' }).returning())[0]!.id
async function site(domain: string, userId?: number): Promise<number> {
  const wish = { originServer: server, domain, plan: 'Business', userId: userId ?? (await owner()) }
  const { status, body } = await call('POST', '', wish)
  expect(status, JSON.stringify(body)).toBe(201)
  await carryOut()
  return body.data.id
}
async function alias(id: number, domain: string, more = {}): Promise<number> {
  const { status, body } = await call('POST', `/${id}/alias`, { domain, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  await carryOut()
  return body.data.id
}
async function sub(id: number, domain: string, more = {}): Promise<number> {
  const { status, body } = await call('POST', `/${id}/subwebsite`, { domain, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  await carryOut()
  return body.data.id
}
const one = async (id: number) => (await call('GET', `/${id}`)).body
const stepsOf = (workflowId: number) =>
  t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)
const rowOf = async (id: number) => (await t.app.db.select().from(websites).where(eq(websites.id, id)))[0]!
const namesOf = async (id: number) =>
  (await call('GET', `/${id}/names`)).body.items.map((n: { name: string; kind: string; mode: string | null }) => [
    n.name,
    n.kind,
    n.mode,
  ])
const rollback = async (workflowId: number) => {
  const failed = (await stepsOf(workflowId)).find(({ status }) => status === 'failed')!
  const path = `/api/workflows/${workflowId}/actions/${failed.id}`
  expect((await t.call('PATCH', path, { token: admin, body: { actionType: 'rollback' } })).status).toBe(200)
  await carryOut()
}

describe('an alias', () => {
  it('is one more name of its website, with its www, and none after it is removed', async () => {
    const id = await site('one.example')
    const { status, body } = await call('POST', `/${id}/alias`, { domain: 'Uno.example', websiteId: id })
    expect([status, body.data]).toMatchObject([201, { kind: 'alias', parentId: id, parentDomain: 'one.example' }])
    const [ensure, probe] = await stepsOf(body.workflowId)
    expect(ensure).toMatchObject({
      name: 'nginx-site.ensure',
      resourceId: id,
      input: {
        domain: 'one.example',
        aliases: ['www.one.example', 'uno.example', 'www.uno.example'],
        before: 'active',
        beforeNames: { aliases: ['www.one.example'], redirects: [] },
      },
    })
    expect(probe).toMatchObject({ name: 'website.alias-probe', input: { name: 'uno.example' } })
    await carryOut()
    expect(await namesOf(id)).toEqual([
      ['one.example', 'own', null],
      ['www.one.example', 'www', null],
      ['uno.example', 'alias', 'serve'],
      ['www.uno.example', 'www', 'serve'],
    ])
    const removed = await call('DELETE', `/${body.data.id}`, {})
    expect((await stepsOf(removed.body.workflowId)).map(({ input }) => input)).toMatchObject([
      { aliases: ['www.one.example'], beforeNames: { aliases: ['www.one.example', 'uno.example', 'www.uno.example'] } },
    ])
    await carryOut()
    expect(await namesOf(id)).toHaveLength(2)
    expect((await call('GET', `/${body.data.id}`)).status).toBe(404)
    await site('uno.example')
  })

  it('can be sent on instead, and changed from one to the other', async () => {
    const id = await site('sent.example')
    const { body } = await call('POST', `/${id}/alias`, { domain: 'on.example', mode: 'redirect' })
    expect((await stepsOf(body.workflowId)).map(({ name, input }) => [name, input])).toMatchObject([
      ['nginx-site.ensure', { aliases: ['www.sent.example'], redirects: ['on.example', 'www.on.example'] }],
      ['website.redirect-probe', { name: 'on.example', to: 'sent.example' }],
    ])
    await carryOut()
    const aliasId = body.data.id
    expect((await call('PATCH', `/${aliasId}/alias`, { mode: 'redirect' })).status).toBe(422)
    expect((await call('PATCH', `/${aliasId}/alias`, { mode: 'serve', version: 1 })).status).toBe(409)
    const changed = await call('PATCH', `/${aliasId}/alias`, { mode: 'serve' })
    expect((await stepsOf(changed.body.workflowId))[0]?.input).toMatchObject({
      aliases: ['www.sent.example', 'on.example', 'www.on.example'],
      beforeNames: { redirects: ['on.example', 'www.on.example'] },
    })
    await carryOut()
    expect((await one(aliasId)).mode).toBe('serve')
  })

  it('is refused where the name is somebody’s, is there already, or belongs to an alias itself', async () => {
    const id = await site('mine.example')
    const other = await site('other.example')
    const its = await alias(id, 'further.example')
    const refused = async (where: number, domain: string) => {
      const { status, body } = await call('POST', `/${where}/alias`, { domain })
      return [status, body.fields?.domain]
    }
    expect(await refused(id, 'other.example')).toEqual([409, `other.example is website ${other} already (active)`])
    expect(await refused(id, 'www.other.example')).toEqual([
      409,
      `www.other.example is served already with other.example, website ${other}`,
    ])
    expect(await refused(id, 'mine.example')).toEqual([409, 'mine.example is the website itself already'])
    expect(await refused(id, 'www.mine.example')).toEqual([409, 'www.mine.example is served with mine.example already'])
    expect(await refused(id, 'further.example')).toMatchObject([409, expect.stringContaining(`website ${its}`)])
    expect(await refused(its, 'deep.example')).toEqual([
      422,
      'further.example is itself a name of mine.example: add the alias to that',
    ])
    expect((await call('POST', `/${id}/alias`, { domain: 'not a name' })).status).toBe(400)
    expect((await call('POST', `/${id}/alias`, { domain: 'new.example', websiteId: other })).status).toBe(422)
    expect((await call('POST', `/${id}/alias`, { domain: 'new.example', userId: 999_999 })).status).toBe(422)
  })

  it('of all names below one is not taken over those of another owner, nor those from it', async () => {
    const kari = await owner()
    const id = await site('wild.example', kari)
    const theirs = await site('theirs.wild-two.example', await owner('Lars'))
    expect((await call('POST', `/${id}/alias`, { domain: '*.wild-two.example' })).body.fields.domain).toBe(
      `theirs.wild-two.example below it is website ${theirs} of Lars already`,
    )
    await site('hers.wild.example', kari)
    await alias(id, '*.wild.example')
    const lars = await owner('Lars')
    const wish = { originServer: server, domain: 'shop.wild.example', plan: 'Business', userId: lars }
    expect((await call('POST', '', wish)).body.fields.domain).toContain('*.wild.example of Kari')
    expect((await call('POST', '', { ...wish, userId: kari })).status).toBe(201)
    await carryOut()
    expect((await call('POST', `/${id}/alias`, { domain: '*.example' })).status).toBe(400)
    expect((await call('POST', `/${id}/alias`, { domain: '*.*.example' })).status).toBe(400)
  })

  it('with letters of a language is kept in its ASCII form and shown in both', async () => {
    const id = await site('bær.example')
    expect(await one(id)).toMatchObject({ domain: 'xn--br-1ia.example', unicode: 'bær.example' })
    const its = await alias(id, '*.blåbær.example')
    expect(await one(its)).toMatchObject({ domain: '*.xn--blbr-roah.example', unicode: '*.blåbær.example' })
  })

  it('is planned without a trace, with what is wrong beside its field', async () => {
    const id = await site('planned.example')
    const { status, body } = await call('POST', `/${id}/alias/plan`, { domain: 'fresh.example' })
    expect([status, body.problems]).toEqual([200, {}])
    expect(body.actions.map((a: { name: string; optional: boolean }) => [a.name, a.optional])).toEqual([
      ['nginx-site.ensure', false],
      ['website.alias-probe', true],
    ])
    expect((await call('POST', `/${id}/alias/plan`, { domain: 'planned.example' })).body.problems.domain).toContain(
      'itself',
    )
    const { body: made } = await call('POST', `/${id}/alias`, {
      domain: 'fresh.example',
      excludeActions: ['website.alias-probe'],
    })
    expect((await stepsOf(made.workflowId))[1]?.status).toBe('skipped')
    await carryOut()
    expect((await one(made.data.id)).status).toBe('active')
  })
})

describe('a sub-website', () => {
  it('has a folder of its own, or the root of its website, or a folder of that', async () => {
    const id = await site('main.example')
    const { username } = await one(id)
    const own = await call('POST', `/${id}/subwebsite`, { domain: 'blog.main.example', websiteId: id })
    expect(own.body.data).toMatchObject({
      kind: 'sub',
      parentId: id,
      username,
      documentRoot: `/home/${username}/blog.main.example/public`,
    })
    expect((await stepsOf(own.body.workflowId)).map(({ name }) => name)).toEqual([
      'document-root.ensure',
      'nginx-site.ensure',
      'website.probe',
    ])
    await carryOut()
    const same = await one(await sub(id, 'same.main.example', { root: 'parent' }))
    expect(same.documentRoot).toBe(`/home/${username}/main.example/public`)
    const folder = await one(await sub(id, 'shop.main.example', { root: 'parent', folder: 'shop/en' }))
    expect(folder.documentRoot).toBe(`/home/${username}/main.example/public/shop/en`)
    for (const wrong of ['../other', '/etc', 'a//b', '.hidden', 'a b'])
      expect(
        (await call('POST', `/${id}/subwebsite`, { domain: 'x.example', root: 'parent', folder: wrong })).status,
      ).toBe(400)
    expect((await call('POST', `/${same.id}/subwebsite`, { domain: 'x.example' })).body.fields.domain).toContain(
      'belongs to main.example itself',
    )
  })

  it('leaves the root of its website alone when it goes', async () => {
    const id = await site('root.example')
    const shared = await sub(id, 'shared.root.example', { root: 'parent' })
    const removed = await call('DELETE', `/${shared}`, {})
    expect((await stepsOf(removed.body.workflowId)).map(({ name }) => name)).toEqual(['nginx-site.remove'])
    await carryOut()
    const back = await call('POST', `/${shared}/restore`, {})
    expect((await stepsOf(back.body.workflowId)).map(({ name }) => name)).not.toContain('document-root.restore')
    await carryOut()
    expect((await one(shared)).status).toBe('active')
  })
})

describe('what belongs to a website', () => {
  it('goes into the trash with it and comes back with it, as it was', async () => {
    const id = await site('family.example')
    const subId = await sub(id, 'sub.family.example')
    const aliasId = await alias(subId, 'sub-alias.example')
    const paused = await sub(id, 'paused.family.example')
    await call('PATCH', `/${paused}`, { status: 'suspended' })
    await carryOut()
    const removed = await call('DELETE', `/${id}`, {})
    expect((await stepsOf(removed.body.workflowId)).map(({ name, resourceName }) => [name, resourceName])).toEqual([
      ['nginx-site.remove', 'sub.family.example'],
      ['document-root.remove', 'sub.family.example'],
      ['nginx-site.remove', 'paused.family.example'],
      ['document-root.remove', 'paused.family.example'],
      ['nginx-site.remove', 'family.example'],
      ['php-pool.remove', 'family'],
      ['document-root.remove', 'family.example'],
      ['system-user.remove', 'family'],
    ])
    expect((await one(subId)).status).toBe('deleting')
    await carryOut()
    expect(await Promise.all([id, subId, aliasId, paused].map(async (n) => (await rowOf(n)).status))).toEqual(
      Array(4).fill('deleted'),
    )
    expect((await call('POST', `/${subId}/restore`, {})).body.message).toContain('which is in the trash too')
    const restored = await call('POST', `/${id}/restore`, {})
    expect(restored.status).toBe(202)
    const served = (await stepsOf(restored.body.workflowId)).filter(({ name }) => name === 'nginx-site.ensure')
    expect(served.map(({ input }) => input)).toMatchObject([
      { domain: 'family.example', state: 'active' },
      {
        domain: 'sub.family.example',
        state: 'active',
        aliases: ['www.sub.family.example', 'sub-alias.example', 'www.sub-alias.example'],
      },
      { domain: 'paused.family.example', state: 'suspended' },
    ])
    await carryOut()
    expect(await Promise.all([id, subId, aliasId, paused].map(async (n) => (await rowOf(n)).status))).toEqual([
      'active',
      'active',
      'active',
      'suspended',
    ])
  })

  it('goes for good with it', async () => {
    const id = await site('gone.example')
    const subId = await sub(id, 'sub.gone.example')
    await call('DELETE', `/${id}`, {})
    await carryOut()
    await call('DELETE', `/${id}/trash`, { domain: 'gone.example' })
    await carryOut()
    expect((await rowOf(subId)).purgedAt).not.toBeNull()
  })

  it('is suspended with it, and only what was is activated with it', async () => {
    const id = await site('down.example')
    const subId = await sub(id, 'sub.down.example')
    const own = await sub(id, 'own.down.example')
    const aliasId = await alias(id, 'down-alias.example')
    await call('PATCH', `/${own}`, { status: 'suspended' })
    await carryOut()
    await call('PATCH', `/${id}`, { status: 'suspended' })
    await carryOut()
    const states = async () => Promise.all([id, subId, own, aliasId].map(async (n) => (await rowOf(n)).status))
    expect(await states()).toEqual(['suspended', 'suspended', 'suspended', 'suspended'])
    expect((await call('PATCH', `/${subId}`, { status: 'active' })).body.message).toContain(
      'down.example, which is suspended',
    )
    expect((await call('PATCH', `/${aliasId}`, { status: 'active' })).status).toBe(422)
    await call('PATCH', `/${id}`, { status: 'active' })
    await carryOut()
    expect(await states()).toEqual(['active', 'active', 'suspended', 'active'])
  })
})

describe('a rename', () => {
  it('lists all that it touches, and what keeps its name, before anything is written', async () => {
    const id = await site('before.example')
    const blog = await sub(id, 'blog.before.example')
    await sub(id, 'elsewhere.example', { root: 'parent', folder: 'else' })
    const { username } = await one(id)
    const { status, body } = await call('POST', `/${id}/rename/plan`, { newDomain: 'after.example', also: [blog] })
    expect([status, body.problems]).toEqual([200, {}])
    expect(body.changes.filter(({ after }: { after: string | null }) => after)).toMatchObject([
      { title: 'Domain', before: 'before.example', after: 'after.example' },
      {
        title: 'Document root',
        before: `/home/${username}/before.example/public`,
        after: `/home/${username}/after.example/public`,
      },
      { title: 'nginx site', after: 'after.example, www.after.example' },
      { title: 'Logs' },
      { title: 'Domain', before: 'blog.before.example', after: 'blog.after.example' },
      { title: 'Document root' },
      { title: 'nginx site' },
      { title: 'Logs' },
      { title: 'Document root of elsewhere.example', after: `/home/${username}/after.example/public/else` },
    ])
    const stays = body.changes.filter(({ after }: { after: string | null }) => after === null)
    expect(stays.map(({ title }: { title: string }) => title)).toEqual(
      expect.arrayContaining(['System user', 'PHP pool']),
    )
    expect(body.relatives).toMatchObject([{ id: blog, newDomain: 'blog.after.example' }])
    expect(body.actions.map(({ name }: { name: string }) => name)).toEqual([
      'nginx-site.ensure',
      'nginx-site.ensure',
      'document-root.rename',
      'nginx-site.rename',
      'document-root.rename',
      'nginx-site.rename',
      'nginx-site.ensure',
      'website.probe',
      'website.redirect-probe',
      'website.probe',
      'website.redirect-probe',
    ])
    expect((await one(id)).domain).toBe('before.example')
  })

  it('gives website, folder and what was chosen the new name, and the old ones answer 301 until their time is over', async () => {
    const id = await site('old.example')
    const aliasId = await alias(id, '*.old.example')
    const { username } = await one(id)
    const files = [{ within: 'public/config.php', sha256: 'ab'.repeat(32) }]
    const { status, body } = await call('PATCH', `/${id}/rename`, {
      newDomain: 'new.example',
      also: [aliasId],
      keepDays: 30,
      files,
    })
    expect(status, JSON.stringify(body)).toBe(202)
    // the new name is nobody else's from now on
    const other = await call('POST', '', {
      originServer: server,
      domain: 'new.example',
      plan: 'Business',
      userId: await owner(),
    })
    expect(other.status).toBe(409)
    const steps = await stepsOf(body.workflowId)
    expect(steps.map(({ name, input }) => [name, input])).toMatchObject([
      [
        'nginx-site.ensure',
        { domain: 'old.example', aliases: ['www.old.example', '*.old.example', 'new.example', 'www.new.example'] },
      ],
      ['document-root.rename', { path: `/home/${username}/old.example/public`, newDomain: 'new.example' }],
      [
        'website-files.replace',
        { path: `/home/${username}/new.example`, from: 'old.example', to: 'new.example', files },
      ],
      [
        'nginx-site.rename',
        {
          from: 'old.example',
          domain: 'new.example',
          root: `/home/${username}/new.example/public`,
          aliases: ['www.new.example', '*.new.example'],
          redirects: ['old.example', 'www.old.example', '*.old.example'],
        },
      ],
      ['website.probe', { domain: 'new.example', expect: 'served' }],
      ['website.redirect-probe', { name: 'old.example', to: 'new.example', keepDays: 30 }],
    ])
    expect((await one(id)).domain).toBe('old.example')
    await carryOut()
    expect(await one(id)).toMatchObject({ domain: 'new.example', documentRoot: `/home/${username}/new.example/public` })
    expect(await namesOf(id)).toEqual([
      ['new.example', 'own', null],
      ['www.new.example', 'www', null],
      ['*.new.example', 'alias', 'serve'],
      ['*.old.example', 'old', 'redirect'],
      ['old.example', 'old', 'redirect'],
      ['www.old.example', 'www', 'redirect'],
    ])
    const [former] = await t.app.db.select().from(websites).where(eq(websites.domain, 'old.example'))
    expect((Date.parse(former!.until!) - Date.now()) / 86_400_000).toBeGreaterThan(29.9)
    expect(await endOldNames(t.app)).toBe(0)
    await t.app.db.update(websites).set({ until: '2020-01-01T00:00:00.000Z' }).where(eq(websites.id, former!.id))
    expect(await endOldNames(t.app)).toBe(1)
    expect(await endOldNames(t.app)).toBe(0)
    const ending = await stepsOf((await rowOf(former!.id)).workflowId!)
    expect(ending.map(({ name, input }) => [name, input])).toMatchObject([
      ['nginx-site.ensure', { redirects: ['*.old.example'] }],
      ['document-root.unlink', { path: `/home/${username}/old.example/public` }],
    ])
    await carryOut()
    expect(await namesOf(id)).toHaveLength(4)
    await site('old.example')
  })

  it('that is rolled back leaves every name what it was', async () => {
    const id = await site('stays.example')
    const { body } = await call('PATCH', `/${id}/rename`, { newDomain: 'never.example' })
    await carryOut('nginx-site.rename')
    expect(await one(id)).toMatchObject({ domain: 'stays.example', status: 'active' })
    // half-way between two names, it is not deleted
    expect((await call('DELETE', `/${id}`, {})).body.message).toContain('roll it back first')
    await rollback(body.workflowId)
    expect(await namesOf(id)).toEqual([
      ['stays.example', 'own', null],
      ['www.stays.example', 'www', null],
    ])
    await site('never.example')
  })

  it('goes back to a former name, and to an alias of its own', async () => {
    const id = await site('first.example')
    await call('PATCH', `/${id}/rename`, { newDomain: 'second.example' })
    await carryOut()
    await call('PATCH', `/${id}/rename`, { newDomain: 'first.example' })
    await carryOut()
    expect(await namesOf(id)).toEqual([
      ['first.example', 'own', null],
      ['www.first.example', 'www', null],
      ['second.example', 'old', 'redirect'],
      ['www.second.example', 'www', 'redirect'],
    ])
    const back = await call('PATCH', `/${id}/rename`, { newDomain: 'second.example' })
    await carryOut('nginx-site.rename')
    await rollback(back.body.workflowId)
    expect((await namesOf(id))[2]).toEqual(['second.example', 'old', 'redirect'])
  })

  it('without days for the old name frees it and its folder at once', async () => {
    const id = await site('short.example')
    const { body } = await call('PATCH', `/${id}/rename`, { newDomain: 'shorter.example', keepDays: 0 })
    expect((await stepsOf(body.workflowId)).map(({ name }) => name)).toEqual([
      'nginx-site.ensure',
      'document-root.rename',
      'nginx-site.rename',
      'document-root.unlink',
      'website.probe',
    ])
    await carryOut()
    expect(await namesOf(id)).toHaveLength(2)
    await site('short.example')
  })

  it('is refused for a name that is somebody’s, for an alias, and while something else is at work', async () => {
    const id = await site('busy.example')
    const aliasId = await alias(id, 'busy-alias.example')
    const other = await site('not-yours.example')
    const refused = await call('PATCH', `/${id}/rename`, { newDomain: 'not-yours.example' })
    expect([refused.status, refused.body.fields.newDomain]).toEqual([
      409,
      `not-yours.example is website ${other} already (active)`,
    ])
    expect((await call('PATCH', `/${aliasId}/rename`, { newDomain: 'x.example' })).body.fields.newDomain).toContain(
      'is an alias',
    )
    expect((await call('PATCH', `/${id}/rename`, { newDomain: 'busy.example' })).status).toBe(409)
    expect((await call('PATCH', `/${id}/rename`, { newDomain: 'x.example', version: 1 })).status).toBe(409)
    expect((await call('PATCH', `/${id}/rename`, { newDomain: 'x.example', also: [other] })).status).toBe(422)
    await call('PATCH', `/${id}/rename`, { newDomain: 'first-wish.example' })
    expect((await call('PATCH', `/${id}/rename`, { newDomain: 'second-wish.example' })).body.message).toMatch(
      /busy.example is being renamed by .+ since/,
    )
    expect((await call('POST', `/${id}/alias`, { domain: 'meanwhile.example' })).status).toBe(409)
    await carryOut()
  })
})
