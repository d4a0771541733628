import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { actionsOf, begin, claimsOf, enrolled, note, resource, setAside, steps } from '../../test/work.ts'
import { secret, step } from './action.ts'
import { claim } from './claim.ts'
import { openQueue } from './queue.ts'

let t: TestApp
let server: number
beforeAll(async () => {
  t = await openTestApp()
  server = await enrolled(t.app.db, 'web-1')
})
afterAll(() => t.close())
beforeEach(() => setAside(t.app.db))
const claims = () => claimsOf(t.app.db, server)

describe('a waiting claim', () => {
  it('wakes for ready work of its own lane and server only', async () => {
    const queue = await openQueue(t.app, 60_000)
    const mine = queue.next(server, 'short', 5, 60_000)
    const other = queue.next(server, 'long', 5, 60_000)
    await letPass(50, 'the claim has looked and waits')
    await begin(t.app.db, { plan: steps(1, server) })
    expect((await mine).ops).toHaveLength(1)
    queue.close()
    expect((await other).ops).toEqual([])
  })

  it('finds work without a NOTIFY, by polling', async () => {
    const deaf = { ...t.app, database: { ...t.app.database, listen: async () => {} } }
    const queue = await openQueue(deaf, 300)
    const waiting = queue.next(server, 'short', 5, 600_000)
    await letPass(50, 'the claim has looked and waits')
    await begin(t.app.db, { plan: steps(1, server) })
    expect((await waiting).ops).toHaveLength(1)
  })

  it('times out without work, and claims nothing for a disconnected client', async () => {
    const queue = await openQueue(t.app, 60_000)
    expect(await queue.next(server, 'short', 5, 100)).toMatchObject({ ops: [] })
    await begin(t.app.db, { plan: steps(1, server) })
    expect(await queue.next(server, 'short', 5, 100, { gone: () => true })).toMatchObject({ ops: [] })
    expect((await queue.next(server, 'short', 5, 100)).ops).toHaveLength(1)
  })

  it('takes precedence over an earlier call of the same agent, which may be dead', async () => {
    const queue = await openQueue(t.app, 60_000)
    const before = await claims()
    const dead = queue.next(server, 'short', 5, 1500)
    await expect.poll(claims).toBe(before + 1)
    const alive = queue.next(server, 'short', 5, 60_000)
    await expect.poll(claims).toBe(before + 2)
    await begin(t.app.db, { plan: steps(1, server) })
    expect((await alive).ops).toHaveLength(1)
    await begin(t.app.db, { plan: steps(1, server) })
    expect((await dead).ops).toEqual([])
    expect((await queue.next(server, 'short', 5, 100)).ops).toHaveLength(1)
  })

  it('ends soon when a late call of a closed connection replaces it, so that its agent claims again', async () => {
    const queue = await openQueue(t.app, 100)
    const before = await claims()
    const alive = queue.next(server, 'short', 5, 60_000)
    await expect.poll(claims).toBe(before + 1)
    let asked = 0
    // disconnected while its number was drawn
    const late = queue.next(server, 'short', 5, 60_000, { gone: () => ++asked > 1 })
    expect((await late).ops).toEqual([])
    expect((await alive).ops).toEqual([])
    await begin(t.app.db, { plan: steps(1, server) })
    expect((await queue.next(server, 'short', 5, 100)).ops).toHaveLength(1)
  })

  it('notifies open screens of each workflow, and of the list beyond eight', async () => {
    const heard: { domain: string; id?: number }[] = []
    await t.app.database.listen('live', (text) => void (text && heard.push(JSON.parse(text).data)))
    // workflows of the tests before may still notify
    const heardOf = (ids: number[]) => heard.filter(({ id }) => id === undefined || ids.includes(id))
    const makeReady = async (count: number) => {
      const ids: number[] = []
      for (let n = 0; n < count; n++) ids.push(await begin(t.app.db, { plan: steps(1, server) }))
      await expect.poll(() => heardOf(ids).length).toBe(count)
      heard.length = 0
      return ids
    }
    const queue = await openQueue(t.app, 60_000)
    const few = await makeReady(2)
    await queue.next(server, 'short', 20, 100)
    await expect.poll(() => heardOf(few)).toEqual(few.map((id) => ({ domain: 'workflows', id })))
    heard.length = 0
    const many = await makeReady(9)
    await queue.next(server, 'short', 20, 100)
    await expect.poll(() => heardOf(many)).toEqual([{ domain: 'workflows' }])
  })

  it('returns how long it waited, so that the lease counts from the claim', async () => {
    const queue = await openQueue(t.app, 60_000)
    const waiting = queue.next(server, 'short', 5, 60_000)
    await letPass(100, 'the time that the claim waits')
    await begin(t.app.db, { plan: steps(1, server) })
    const { waited } = await waiting
    expect(waited).toBeGreaterThanOrEqual(90)
    expect(waited).toBeLessThan(60_000)
  })
})

describe('an input', () => {
  it('gets its secrets at the claim, so that no row contains them', async () => {
    await t.app.secrets.write(t.app.db, 'word', 'open sesame')
    const plan = [step(note, { n: 1, word: secret('word') }, { server, resource })]
    const workflow = await begin(t.app.db, { plan })
    const [row] = await actionsOf(t.app.db, workflow)
    expect(row?.input).toEqual({ n: 1, word: { $secret: 'word' } })
    const queue = await openQueue(t.app)
    expect((await queue.next(server, 'short', 5, 100)).ops).toMatchObject([{ input: { n: 1, word: 'open sesame' } }])
    expect(JSON.stringify(await actionsOf(t.app.db, workflow))).not.toContain('sesame')
  })

  it('blocks an action whose secret is missing, or whose name is unknown', async () => {
    const gone = await begin(t.app.db, { plan: [step(note, { n: 1, word: secret('none') }, { server, resource })] })
    const unknown = await begin(t.app.db, { plan: steps(1, server).map((s) => ({ ...s, name: 'test.forgotten' })) })
    const good = await begin(t.app.db, { plan: steps(1, server) })
    const queue = await openQueue(t.app)
    expect((await queue.next(server, 'short', 5, 100)).ops).toHaveLength(1)
    expect((await actionsOf(t.app.db, gone))[0]).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('the secret none is gone'),
    })
    expect((await actionsOf(t.app.db, unknown))[0]).toMatchObject({
      status: 'blocked',
      reason: 'This version of Innkeeper does not know the action test.forgotten',
    })
    expect((await actionsOf(t.app.db, good))[0]?.status).toBe('running')
  })

  it('is validated when the plan is made', () => {
    expect(() => step(note, { n: 1.5 }, { resource })).toThrow()
  })
})

it('gives each action to one of many simultaneous claims', async () => {
  const ready = 20
  const claimAtOnce = () => Promise.all(Array.from({ length: ready }, () => claim(t.app.db, null, 'short', 3)))
  expect((await claimAtOnce()).flat()).toEqual([]) // now the connections are open
  for (let n = 0; n < ready; n++) await begin(t.app.db, { plan: steps(1) })
  // a claim skips what another is taking, so it may find less than there is
  const taken = [...(await claimAtOnce()).flat(), ...(await claim(t.app.db, null, 'short', ready))]
  expect(taken.map(({ attempt }) => attempt)).toEqual(Array(ready).fill(1))
  expect(new Set(taken.map(({ id }) => id)).size).toBe(ready)
})
