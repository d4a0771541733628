import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bergen,
  call,
  closeMoves,
  comesTo,
  move,
  openMoves,
  oslo,
  owner,
  site,
  t,
  until,
  update,
  website,
} from '../testMoves.ts'

beforeAll(openMoves)
afterAll(closeMoves)

describe('a move of a group', () => {
  const group = async (...domains: string[]) => {
    const ids: number[] = []
    for (const domain of domains) ids.push(await site(domain))
    const { body } = await call('POST', '/groups', { ownerId: owner, mainWebsite: ids[0], ids: ids.slice(1) })
    return { id: body.id as number, ids }
  }

  it('moves its members one after the other; a member that cannot start blocks no other, and is resumed', async () => {
    const made = await group('first.example', 'second.example', 'third.example')
    await call('PATCH', `/websites/${made.ids[1]}`, { status: 'suspended' })
    await until(async () => (await website(made.ids[1]!)).status === 'suspended')
    const held = await call('POST', `/websites/${made.ids[1]}/migrate`, { targetServerId: 9999 })
    expect(held.status).toBe(404)
    await t.app.db.execute(
      "insert into resource_locks (resource, workflow_id, holder) select 'website:" +
        made.ids[1] +
        "', max(workflow_id), 'Erik' from workflows",
    )
    const { status, body } = await call('PATCH', '/groups/migrate', {
      id: made.id,
      originServerSource: oslo,
      originServerTarget: bergen,
    })
    expect([status, body.type]).toEqual([202, 'group'])
    const stopped = await comesTo(body.id, 'failed')
    expect(stopped.members.map((member: { status: string }) => member.status)).toEqual(['soaking', 'failed', 'soaking'])
    expect(stopped.reason).toBe('1 of 3 stopped: second.example')
    expect(stopped.members[1].reason).toContain('being worked on by Erik')
    await t.app.db.execute("delete from resource_locks where holder = 'Erik'")
    expect((await update(body.id, 'resume')).status).toBe(202)
    const done = await comesTo(body.id, 'soaking')
    expect(done).toMatchObject({ done: 3, count: 3, reason: null })
    expect(await website(made.ids[1]!)).toMatchObject({ status: 'suspended', serverName: 'bergen-1' })
    const path = `/websites/groups/${made.id}/migration?sourceGroupId=${made.id}&targetGroupId=-1`
    expect((await call('GET', path)).body.migrations.length).toBe(4)
    expect((await update(body.id, 'retire')).status).toBe(202)
    await comesTo(body.id, 'done')
  })

  it('reports unknown ids in the words of the specification', async () => {
    const { status, body } = await call('GET', '/websites/groups/1/migration?sourceGroupId=-1&targetGroupId=')
    expect([status, body.message]).toEqual([422, 'No source and target groups found'])
  })
})

describe('the list of moves', () => {
  it('is filtered as specified, and counts a group once', async () => {
    const id = await site('alone.example')
    const { id: moved } = await move(id)
    await comesTo(moved, 'soaking')
    await update(moved, 'retire')
    await comesTo(moved, 'done')
    const list = async (query: string) => (await call('GET', `/websites/migrations?${query}`)).body
    expect((await list('type=group')).total).toBe(1)
    const all = await list('')
    expect(all.migrations.every(({ parentId }: { parentId: number | null }) => parentId === null)).toBe(true)
    const [one] = (await list('type=website&status=done')).migrations
    expect(one).toMatchObject({ sourceWebsiteId: id })
    expect((await list(`sourceWebsiteId=${id}`)).total).toBe(1)
    expect((await list(`targetWebsiteId=${id}`)).total).toBe(1)
    expect((await list('domain=alone')).total).toBe(1)
  })
})
