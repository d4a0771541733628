import { describe, expect, it } from 'vitest'
import { alias, call, carryOut, namesOf, one, owner, server, site, stepsOf } from './names.ts'

describe('an alias', () => {
  it('serves its website, also with www, until it is removed', async () => {
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

  it('can redirect, and be switched between redirect and serving', async () => {
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

  it('is refused if the name is taken, exists already, or belongs to an alias', async () => {
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

  it('with a wildcard is refused if it covers a name of another owner, or a wildcard of another owner covers it', async () => {
    const kari = await owner()
    const id = await site('wild.example', { userId: kari })
    const theirs = await site('theirs.wild-two.example', { userId: await owner('Lars') })
    expect((await call('POST', `/${id}/alias`, { domain: '*.wild-two.example' })).body.fields.domain).toBe(
      `theirs.wild-two.example below it is website ${theirs} of Lars already`,
    )
    await site('hers.wild.example', { userId: kari })
    await alias(id, '*.wild.example')
    const lars = await owner('Lars')
    const wanted = { originServer: server, domain: 'shop.wild.example', plan: 'Business', userId: lars }
    expect((await call('POST', '', wanted)).body.fields.domain).toContain('*.wild.example of Kari')
    expect((await call('POST', '', { ...wanted, userId: kari })).status).toBe(201)
    await carryOut()
    expect((await call('POST', `/${id}/alias`, { domain: '*.example' })).status).toBe(400)
    expect((await call('POST', `/${id}/alias`, { domain: '*.*.example' })).status).toBe(400)
  })

  it('with non-ASCII letters is stored in ASCII and shown in both forms', async () => {
    const id = await site('bær.example')
    expect(await one(id)).toMatchObject({ domain: 'xn--br-1ia.example', unicode: 'bær.example' })
    const its = await alias(id, '*.blåbær.example')
    expect(await one(its)).toMatchObject({ domain: '*.xn--blbr-roah.example', unicode: '*.blåbær.example' })
  })

  it('is previewed without being saved, with errors beside the fields', async () => {
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
