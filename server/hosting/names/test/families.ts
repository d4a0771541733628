import { describe, expect, it } from 'vitest'
import { alias, call, carryOut, one, rowOf, site, stepsOf, sub } from './names.ts'

describe('a sub-website', () => {
  it('has its own folder, the document root of its website, or a folder inside that root', async () => {
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

  it('keeps the document root of its website when it is deleted', async () => {
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

describe('the members of a website', () => {
  it('are deleted and restored with the website, unchanged', async () => {
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

  it('are purged with the website', async () => {
    const id = await site('gone.example')
    const subId = await sub(id, 'sub.gone.example')
    await call('DELETE', `/${id}`, {})
    await carryOut()
    await call('DELETE', `/${id}/trash`, { domain: 'gone.example' })
    await carryOut()
    expect((await rowOf(subId)).purgedAt).not.toBeNull()
  })

  it('are suspended with the website; only members that were active are activated again', async () => {
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
