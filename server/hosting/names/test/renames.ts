import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { originVhosts, websites } from '../../websites/tables.ts'
import { endOldNames } from '../oldNames.ts'
import { alias, call, carryOut, namesOf, one, owner, rollback, rowOf, server, site, stepsOf, sub, t } from './names.ts'

describe('a rename', () => {
  it('previews all changes, and the resources that keep their names', async () => {
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

  it('renames the website, its folder and the chosen files; old names redirect until their time ends', async () => {
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
    // the new name is reserved at once
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
      ['php-pool.renew', { username, back: true }],
      [
        'website-files.replace',
        { path: `/home/${username}/new.example`, from: 'old.example', to: 'new.example', files },
      ],
      ['php-pool.renew', { username }],
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

  it('of a network of WordPress takes its names, its tables and no answer that leads back', async () => {
    const id = await site('net.example', { database: true })
    const wildcard = await alias(id, '*.net.example')
    await t.app.db.insert(originVhosts).values({ websiteId: id, application: 'wordpress-names' }).onConflictDoNothing()
    await t.app.db.update(originVhosts).set({ application: 'wordpress-names' }).where(eq(originVhosts.websiteId, id))
    const planned = await call('POST', `/${id}/rename/plan`, { newDomain: 'network.example' })
    expect([planned.body.problems, planned.body.network]).toEqual([{}, { also: [wildcard] }])
    const { body } = await call('PATCH', `/${id}/rename`, { newDomain: 'network.example' })
    const steps = await stepsOf(body.workflowId)
    const of = (name: string) => steps.find((one) => one.name === name)?.input
    expect(of('database.replace')).toMatchObject({ from: 'net.example', to: 'network.example', how: 'network' })
    expect(of('website.probe')).toMatchObject({ domain: 'network.example', others: ['net.example'] })
    await carryOut()
    expect(await namesOf(id)).toContainEqual(['*.network.example', 'alias', 'serve'])
  })

  it('that is rolled back leaves all names unchanged', async () => {
    const id = await site('stays.example')
    const { body } = await call('PATCH', `/${id}/rename`, { newDomain: 'never.example' })
    await carryOut('nginx-site.rename')
    expect(await one(id)).toMatchObject({ domain: 'stays.example', status: 'active' })
    // a website cannot be deleted during its rename
    expect((await call('DELETE', `/${id}`, {})).body.message).toContain('roll it back first')
    await rollback(body.workflowId)
    expect(await namesOf(id)).toEqual([
      ['stays.example', 'own', null],
      ['www.stays.example', 'www', null],
    ])
    await site('never.example')
  })

  it('can return to a former name, or to an alias of the website', async () => {
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

  it('with 0 days for the old name frees the name and its folder at once', async () => {
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

  it('is refused for a taken name, for an alias, and during another workflow', async () => {
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
