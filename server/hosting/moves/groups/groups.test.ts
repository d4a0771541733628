import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginDue } from '../schedule.ts'
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
  read,
  room,
  site,
  t,
  until,
  update,
  website,
} from '../test/moves.ts'

interface Member {
  domain: string
  status: string
}

beforeAll(openMoves)
afterAll(closeMoves)

describe('a move of a group', () => {
  const group = async (...domains: string[]) => {
    const ids: number[] = []
    for (const domain of domains) ids.push(await site(domain))
    const { body } = await call('POST', '/groups', { ownerId: owner, mainWebsite: ids[0], ids: ids.slice(1) })
    return { id: body.id as number, ids }
  }

  const start = (id: number) =>
    call('PATCH', '/groups/migrate', { id, originServerSource: oslo, originServerTarget: bergen })
  /** Lets the copy of this website fail. Answers by input, because all members share the agents. */
  const failing = (domain: string, operation = 'transfer.pull') =>
    answer({
      [operation]: (input: unknown) => (JSON.stringify(input).includes(domain) ? 'disk full' : { files: 1, bytes: 1 }),
    })
  const statuses = ({ members }: { members: { status: string }[] }) => members.map(({ status }) => status)
  const places = async (ids: number[]) => Promise.all(ids.map(async (id) => (await website(id)).serverName))

  it('is refused with all reasons while a member cannot move, and starts no member', async () => {
    const made = await group('held.example', 'free.example')
    await t.app.db.execute(
      `insert into resource_locks (resource, workflow_id, holder) select 'website:${made.ids[0]}', max(workflow_id), 'Erik' from workflows`,
    )
    const refused = await start(made.id)
    await t.app.db.execute("delete from resource_locks where holder = 'Erik'")
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('being worked on by Erik')])
    expect(
      (await call('GET', `/websites/groups/${made.id}/migration?sourceGroupId=${made.id}&targetGroupId=-1`)).body
        .migrations,
    ).toEqual([])
  })

  it('is refused for what the servers report of a later member, or of all together, and starts no member', async () => {
    const { id, ids } = await group('whole.example', 'half.example')
    const half = { ...room, sites: [{ domain: 'half.example', status: 500, text: '500' }] }
    answer({ 'migration.look': (input: { sites?: string[] }) => (input.sites?.includes('half.example') ? half : room) })
    const broken = await start(id)
    // 5 MB each, with 64 MiB for growth
    answer({ 'migration.look': { ...room, free: 75e6 } })
    const full = await start(id)
    const look = (await call('GET', `/websites/${ids[0]}/migrate?targetServerId=${bergen}&group=true`)).body
    answer({})
    expect(broken).toMatchObject({
      status: 422,
      body: {
        fields: { originServerTarget: expect.stringContaining('half.example: http://half.example/ answers 500') },
      },
    })
    expect([full.status, full.body.message]).toEqual([422, expect.stringContaining('All 2 websites')])
    expect(look.findings.at(-1)).toMatchObject({ key: 'disk', level: 'blocker' })
    expect(await places(ids)).toEqual(['oslo-1', 'oslo-1'])
  })

  it('moves its members in order, starts no further member when one stops, and resumes there', async () => {
    const made = await group('first.example', 'second.example', 'third.example')
    await call('PATCH', `/websites/${made.ids[1]}`, { status: 'suspended' })
    await until(async () => (await website(made.ids[1]!)).status === 'suspended')
    failing('second.example')
    const { status, body } = await start(made.id)
    expect([status, body.type]).toEqual([202, 'group'])
    const stopped = await comesTo(body.id, 'failed')
    expect(statuses(stopped)).toEqual(['soaking', 'failed', 'waiting'])
    expect(stopped.reason).toBe('1 of 3 stopped: second.example')
    answer({})
    expect((await update(body.id, 'resume')).status).toBe(202)
    const done = await comesTo(body.id, 'soaking')
    expect(done).toMatchObject({ done: 3, count: 3, reason: null })
    expect(await website(made.ids[1]!)).toMatchObject({ status: 'suspended', serverName: 'bergen-1' })
    const path = `/websites/groups/${made.id}/migration?sourceGroupId=${made.id}&targetGroupId=-1`
    expect((await call('GET', path)).body.migrations.length).toBe(4)
    // during the observation period, a second move is refused as a whole
    const second = await call('PATCH', '/groups/migrate', {
      id: made.id,
      originServerSource: bergen,
      originServerTarget: oslo,
    })
    expect(second).toMatchObject({ status: 422, body: { message: expect.stringContaining('is not over') } })
    expect((await update(body.id, 'retire')).status).toBe(202)
    await comesTo(body.id, 'done')
  })

  it('waits for a member that another operation locks meanwhile, and stops there after an hour', async () => {
    const made = await group('before.example', 'busy.example')
    const hold = () =>
      t.app.db.execute(
        `insert into resource_locks (resource, workflow_id, holder) select 'website:${made.ids[1]}', min(workflow_id), 'Erik' from workflows`,
      )
    const release = () => t.app.db.execute("delete from resource_locks where holder = 'Erik'")
    answer({
      'transfer.pull': () =>
        hold().then(
          () => ({ files: 1, bytes: 1 }),
          () => ({ files: 1, bytes: 1 }),
        ),
    })
    const { body } = await start(made.id)
    const waiting = async () => (await read(body.id)).members[1]
    await until(async () => (await waiting()).reason !== null)
    answer({})
    expect(await waiting()).toMatchObject({ status: 'waiting', reason: 'busy.example is being worked on by Erik' })
    const { version } = await read(body.id)
    await beginDue(t.app)
    expect(await read(body.id)).toMatchObject({ status: 'running', version }) // nothing new to show
    const begins = (hoursAgo: number) =>
      t.app.db.execute(
        `update website_migrations set begins_at = now() - interval '${hoursAgo} hours' where status = 'waiting' and parent_id = ${body.id}`,
      )
    await begins(2)
    await beginDue(t.app, 60_000) // Innkeeper was down for two hours
    expect((await waiting()).status).toBe('waiting')
    await beginDue(t.app)
    expect(await read(body.id)).toMatchObject({ status: 'failed', reason: '1 of 2 stopped: busy.example' })
    const notices = await call('GET', '/employee-controller/notifications?itemsPerPage=50')
    expect(JSON.stringify(notices.body)).toContain('stopped at busy.example')
    expect((await update(body.id, 'resume')).status).toBe(202)
    expect(await read(body.id)).toMatchObject({ status: 'running' }) // still locked: waits again
    await release()
    await update(body.id, 'pause')
    await beginDue(t.app)
    expect((await waiting()).status).toBe('waiting')
    await update(body.id, 'resume')
    await comesTo(body.id, 'soaking')
    expect(await places(made.ids)).toEqual(['bergen-1', 'bergen-1'])
  })

  it('continues with a member that was reopened automatically', async () => {
    const made = await group('opens.example', 'after.example')
    failing('opens.example', 'transfer.verify')
    const { body } = await start(made.id)
    const stopped = await comesTo(body.id, 'failed')
    answer({})
    expect(statuses(stopped)).toEqual(['rolled-back', 'waiting'])
    expect(stopped.reason).toBe('1 of 2 rolled back: opens.example')
    expect(await website(made.ids[0]!)).toMatchObject({ status: 'active', serverName: 'oslo-1' })
    expect((await update(body.id, 'resume')).status).toBe(202)
    await comesTo(body.id, 'soaking')
    expect(await places(made.ids)).toEqual(['bergen-1', 'bergen-1'])
  })

  it('moves back as a group during the observation period, the last member first', async () => {
    const made = await group('there.example', 'back.example')
    const { body } = await start(made.id)
    await comesTo(body.id, 'soaking')
    const back = await update(body.id, 'rollback')
    expect(back).toMatchObject({ status: 202, body: { type: 'group', reverseOf: body.id } })
    const over = await comesTo(back.body.id, 'soaking')
    expect(over.members.map(({ domain }: { domain: string }) => domain)).toEqual(['back.example', 'there.example'])
    expect(await comesTo(body.id, 'rolled-back')).toMatchObject({ reason: null })
    expect(await places(made.ids)).toEqual(['oslo-1', 'oslo-1'])
  })

  it.each<[string, (id: number, domains: string[]) => Promise<void>]>([
    ['stopped with its first member', async (id) => void (await comesTo(id, 'failed'))],
    [
      'stopped behind a member that has moved',
      async (id, [first]) => {
        await comesTo(id, 'failed')
        failing('no such')
        await update(id, 'resume')
        await until(async () =>
          (await read(id)).members.some(({ domain, status }: Member) => domain === first && status === 'soaking'),
        )
        await comesTo(id, 'soaking')
      },
    ],
    [
      'with a deleted member',
      async (id, [, second]) => {
        await comesTo(id, 'failed')
        await t.app.db.execute(`update websites set deleted_at = now() where domain = '${second}'`)
        failing('no such')
        await update(id, 'resume')
        await until(async () => (await read(id)).members[1].status === 'failed')
        await comesTo(id, 'failed')
        const notices = await call('GET', '/employee-controller/notifications?itemsPerPage=50')
        expect(JSON.stringify(notices.body)).toContain(`stopped at ${second}`)
        expect((await update(id, 'resume')).status).toBe(202)
        await until(async () => (await read(id)).members[1].status === 'failed')
      },
    ],
    [
      'paused',
      async (id) => {
        await comesTo(id, 'failed')
        await update(id, 'resume')
        await update(id, 'pause')
        await until(async () => (await read(id)).members[0].status === 'failed')
      },
    ],
  ])('%s can be rolled back, and can move again afterwards', async (state, reach) => {
    const n = asked.length
    const domains = [`one-${n}.example`, `two-${n}.example`]
    const made = await group(...domains)
    failing(domains[0]!)
    const { body } = await start(made.id)
    await reach(body.id, domains)
    answer({})
    const back = await update(body.id, 'rollback')
    expect([state, back.status, back.body.message]).toEqual([state, 202, undefined])
    await comesTo(body.id, 'rolled-back')
    const [first] = made.ids
    expect(await website(first!)).toMatchObject({ status: 'active', serverName: 'oslo-1' })
    if (back.body.id !== body.id) await update((await comesTo(back.body.id, 'soaking')).id, 'retire')
    if (back.body.id !== body.id) await comesTo(back.body.id, 'done')
    const again = await move(first!)
    expect([state, again.status, again.body.message]).toEqual([state, 202, undefined])
    await comesTo(again.id, 'soaking')
  })

  it('is refused with the error text of the specification if the group does not exist', async () => {
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
    const groups = await list('type=group&itemsPerPage=50')
    expect(groups.migrations.every(({ parentId }: { parentId: number | null }) => parentId === null)).toBe(true)
    const all = await list('')
    expect(all.migrations.every(({ parentId }: { parentId: number | null }) => parentId === null)).toBe(true)
    const [one] = (await list('type=website&status=done')).migrations
    expect(one).toMatchObject({ sourceWebsiteId: id })
    expect((await list(`sourceWebsiteId=${id}`)).total).toBe(1)
    expect((await list(`targetWebsiteId=${id}`)).total).toBe(1)
    expect((await list('domain=alone')).total).toBe(1)
  })
})
