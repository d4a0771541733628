import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originVhosts, websites } from '../websites/tables.ts'
import {
  answer,
  asked,
  bergen,
  call,
  closeMoves,
  comesTo,
  move,
  openMoves,
  oslo,
  owner,
  room,
  site,
  t,
  until,
  update,
  website,
} from './test/moves.ts'

beforeAll(openMoves)
afterAll(closeMoves)

/** Creates a website with an alias and a staging copy. */
async function copied(domain: string): Promise<{ id: number; copy: number }> {
  const id = await site(domain)
  const [row] = await t.app.db.select().from(websites).where(eq(websites.id, id))
  const { id: _, ...main } = row!
  const alias = { kind: 'alias' as const, mode: 'serve' as const, parentId: id, domain: `also-${domain}` }
  await t.app.db.insert(websites).values({ ...main, ...alias })
  return { id, copy: await copyOf(id) }
}
/** Tries again until no other workflow locks the website. */
async function copyOf(id: number): Promise<number> {
  let copy = 0
  await until(async () => {
    const { status, body } = await call('POST', `/websites/${id}/staging`, { websiteId: id })
    if (status === 201) copy = body.data.id
    return status === 201
  })
  await until(async () => (await website(copy)).status === 'active')
  return copy
}
const found = async (id: number, query = '') => {
  const { body } = await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}${query}`)
  return (body.findings as Finding[])
    .filter(({ key }) => key === 'copies' || key === 'names')
    .map(({ level, text }) => `${level}: ${text}`)
}
const places = async (...ids: number[]) => Promise.all(ids.map(async (id) => (await website(id)).serverName))

describe('a move without copies', () => {
  it('announces what stays, leaves the copy unchanged, and moves the other names', async () => {
    const { id, copy } = await copied('left.example')
    const name = 'staging-1.left.example'
    expect(await found(id)).toEqual([
      `ok: ${name}: moves along, with an account of its own`,
      'ok: also-left.example: move along',
    ])
    expect(await found(id, '&withCopies=false')).toEqual([
      expect.stringContaining(`warning: ${name}: stays on oslo-1`),
      'ok: also-left.example: move along',
    ])
    const before = await website(copy)
    asked.length = 0
    const begun = await move(id, { withCopies: false })
    expect(begun.body.withCopies).toBe(false)
    await comesTo(begun.id, 'soaking')
    expect(await places(id, copy)).toEqual(['bergen-1', 'oslo-1'])
    expect(await website(copy)).toMatchObject({ status: 'active', version: before.version, username: before.username })
    expect(asked.filter(({ input }) => JSON.stringify(input).includes(name))).toEqual([])
    const merge = await call('POST', '/stagings', { websiteId: copy })
    expect(merge.body.message).toContain('move the copy or the website to the other server first')
    await update(begun.id, 'retire')
    await comesTo(begun.id, 'done')
    expect(await places(id, copy)).toEqual(['bergen-1', 'oslo-1'])

    // the copy moves separately, and can then be merged again
    expect(await found(copy)).toEqual([])
    const follows = await move(copy)
    await comesTo(follows.id, 'soaking')
    expect(await places(id, copy)).toEqual(['bergen-1', 'bergen-1'])
    expect((await website(copy)).kind).toBe('staging')
    const pools = asked.filter(
      ({ server, name: of, task }) => server === bergen && of === 'php-pool.ensure' && task === 'run',
    )
    expect(pools.at(-1)?.input.mail).toBe('hold')
    const again = await call('POST', '/stagings', { websiteId: copy })
    expect(again.body.message).not.toContain('the other server first')
  })

  it('is rolled back without earlier copies and without copies that were made since', async () => {
    const { id, copy } = await copied('returned.example')
    const begun = await move(id, { withCopies: false })
    await comesTo(begun.id, 'soaking')
    const later = await copyOf(id)
    const back = (await update(begun.id, 'rollback')).body
    await comesTo(back.id, 'soaking')
    await comesTo(begun.id, 'rolled-back')
    expect(await places(id, copy, later)).toEqual(['oslo-1', 'oslo-1', 'bergen-1'])
    for (const one of [id, copy, later]) expect((await website(one)).status).toBe('active')
  })

  it('allows suspending and deleting the website and its copy on another server together', async () => {
    const { id, copy } = await copied('apart.example')
    const begun = await move(id, { withCopies: false, soakHours: 0 })
    await comesTo(begun.id, 'soaking')
    await update(begun.id, 'retire')
    await comesTo(begun.id, 'done')
    asked.length = 0
    await call('PATCH', `/websites/${id}`, { status: 'suspended' })
    await until(async () => (await website(copy)).status === 'suspended')
    expect(new Set(asked.map(({ server }) => server))).toEqual(new Set([oslo, bergen]))
    await until(async () => (await website(id)).status === 'suspended')
    asked.length = 0
    await call('DELETE', `/websites/${id}`)
    await until(async () => (await call('GET', `/websites/${id}`)).body.status === 'deleted')
    const roots = asked.flatMap(({ server, name }) => (name === 'document-root.remove' ? [server] : []))
    expect(new Set(roots)).toEqual(new Set([oslo, bergen]))
  })

  it('can be chosen for a group too', async () => {
    const { id, copy } = await copied('grouped.example')
    const other = await site('grouped-2.example')
    const { body } = await call('POST', '/groups', { ownerId: owner, mainWebsite: id, ids: [other] })
    const started = await call('PATCH', '/groups/migrate', {
      ...{ id: body.id, originServerSource: oslo, originServerTarget: bergen, withCopies: false },
    })
    await comesTo(started.body.id, 'soaking')
    expect(await places(id, other, copy)).toEqual(['bergen-1', 'bergen-1', 'oslo-1'])
    const back = (await update(started.body.id, 'rollback')).body
    await comesTo(back.id, 'soaking')
    expect(await places(id, other, copy)).toEqual(['oslo-1', 'oslo-1', 'oslo-1'])
  })

  it('checks chosen extensions only in the PHP versions of the websites that move', async () => {
    const { id, copy } = await copied('extended.example')
    await t.app.db.update(websites).set({ phpVersion: '8.4' }).where(eq(websites.id, copy))
    const php = { websiteId: copy, phpParameters: { extensionsOn: ['imagick' as const] } }
    await t.app.db.insert(originVhosts).values(php).onConflictDoUpdate({ target: originVhosts.websiteId, set: php })
    const usual = [{ name: 'gmp', usual: true }]
    answer({ 'migration.look': { ...room, extensions: usual }, 'php-extensions.list': { extensions: usual } })
    const extensions = async (query = '') =>
      ((await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}${query}`)).body.findings as Finding[])
        .filter(({ key }) => key === 'extensions')
        .map(({ level, text }) => `${level}: ${text}`)
    expect(await extensions()).toEqual([expect.stringMatching(/^blocker: .*imagick \(PHP 8.4\)/)])
    expect(await extensions('&withCopies=false')).toEqual([])
    const more = [...usual, { name: 'imagick', usual: false }]
    answer({ 'migration.look': { ...room, extensions: usual }, 'php-extensions.list': { extensions: more } })
    expect(await extensions()).toEqual([expect.stringContaining('ok: bergen-1 has what was chosen: imagick')])
    answer({})
  })
})
