import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { inventory } from '../../test/hostile/world/archives.ts'
import { openWorld, type World } from '../../test/hostile/world/world.ts'
import { carryOutAll } from '../../test/work.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const call = (method: 'GET' | 'POST', path: string, body?: unknown) =>
  world.call(method, `/api${path}`, { token: world.admin, ...(body !== undefined && { body }) })
const [site] = inventory.websites
const [base] = inventory.databases
const nothing = { ...inventory, databases: [], zones: [], mail: [], cron: [], ftp: [] }
const server = async () =>
  (
    await rows<{ id: number }>(
      world.app.db,
      sql`select server_id as id from archive_imports where file_name = '/backup/ready.tar'`,
    )
  )[0]?.id ?? 0

/** An archive that was looked at. */
async function archive(file: string, found: Inventory): Promise<number> {
  const [{ id = 0 } = {}] = await rows<{ id: number }>(
    world.app.db,
    sql`insert into archive_imports (server_id, source, file_name, status, inventory, staff_name, created_by)
      values (${await server()}, 'path', ${file}, 'ready', ${JSON.stringify(found)}::jsonb, 'Accounts', 1)
      returning archive_import_id as id`,
  )
  return id
}
type Line = { key: string; verdict: string; notes: string[] }
const plan = async (id: number) => {
  const { status, body } = await call('GET', `/archive-imports/${id}/plan?userId=1&plan=1`)
  expect(status).toBe(200)
  return (body.lines as Line[]).map(({ key, verdict, notes }) => `${key} ${verdict}: ${notes.join('; ')}`)
}
const start = (id: number) => call('POST', `/archive-imports/${id}/start`, { userId: 1, plan: 1 })
const failing = async () =>
  carryOutAll(world.app.db, await server(), ({ name }) =>
    name === 'archive.unpack' ? { status: 'failed', reason: 'a test ends it' } : {},
  )
async function undo(id: number): Promise<void> {
  expect((await call('POST', `/archive-imports/${id}/roll-back`)).status).toBe(202)
  await carryOutAll(world.app.db, await server())
  expect((await call('GET', `/archive-imports/${id}`)).body.status).toBe('rolled-back')
}

it('of two archives of one account that start at once, one is imported; the other says who has its names', async () => {
  const found: Inventory = {
    ...nothing,
    account: { ...inventory.account, name: 'twice' },
    websites: [{ ...site!, domain: 'couple.example.org', aliases: ['also-couple.example.org'] }],
    databases: [{ ...base!, name: 'twice_shop', users: [{ name: 'twice_shop', hash: 'mysql-native' }] }],
  }
  const both = [await archive('/backup/twice-monday.tar', found), await archive('/backup/twice-friday.tar', found)]
  for (const id of both) expect((await plan(id)).join()).toContain('website:couple.example.org carried')
  const begun = await Promise.all(both.map(start))
  // the other is refused by its plan, or by the row of the website that the first has just made
  const [taken, refused] = begun.toSorted((a, b) => a.status - b.status)
  expect(taken?.status).toBe(202)
  expect(refused).toMatchObject(
    refused?.status === 409
      ? { body: { message: expect.stringMatching(/^couple.example.org is website \d+ already/) } }
      : { status: 422 },
  )
  const [first = 0, second = 0] = both.toSorted(
    (a, b) => (begun[both.indexOf(a)]?.status ?? 0) - (begun[both.indexOf(b)]?.status ?? 0),
  )
  const lines = await plan(second)
  expect(lines[0]).toMatch(/^website:couple.example.org left out: .*is website/)
  expect(lines.find((line) => line.startsWith('database:twice_shop'))).toContain('left out')
  await failing()
  await undo(first)
  // nothing of the first is left: the second is imported as if it were the only one
  expect((await plan(second))[0]).toContain('website:couple.example.org carried')
  const again = await start(second)
  expect([again.status, again.body.message]).toEqual([202, undefined])
  await failing()
  await undo(second)
})

it('a suspended account stays suspended: websites, accounts of databases, FTP users and jobs', async () => {
  const found: Inventory = {
    ...nothing,
    account: { ...inventory.account, name: 'resting', suspended: true },
    websites: [{ ...site!, domain: 'resting.example.org', aliases: [], mentions: ['resting_shop'] }],
    databases: [{ ...base!, name: 'resting_shop', users: [{ name: 'resting_shop', hash: 'mysql-native' }] }],
    cron: [{ when: '5 4 * * *', command: 'echo a', suspended: false }],
    ftp: [{ name: 'resting_up', website: 'resting.example.org', path: '', hash: 'sha512-crypt' }],
  }
  const id = await archive('/backup/resting.tar', found)
  const lines = (await plan(id)).join('\n')
  expect(lines).toContain('database:resting_shop changed: Its account stays closed, as its website is suspended')
  expect(lines).toContain('1 suspended job comes as a comment')
  const { status, body } = await start(id)
  expect([status, body.message]).toEqual([202, undefined])
  const steps = await rows<{ name: string; state: string | null; locked: boolean | null }>(
    world.app.db,
    sql`select name, input -> 'state' #>> '{}' as state, (input ->> 'locked')::boolean as locked from actions
      where workflow_id = ${body.workflowId} order by position`,
  )
  const last = (name: string) => steps.findLast((one) => one.name === name)
  expect(last('nginx-site.ensure')?.state).toBe('suspended')
  expect(last('database-user.ensure')?.locked).toBe(true)
  expect(last('ftp-user.ensure')?.state).toBe('suspended')
  await failing()
  await undo(id)
})

it('names of other alphabets come in punycode, passwords that nothing takes are named, a user twice is one', async () => {
  const found: Inventory = {
    ...nothing,
    websites: [
      { ...site!, domain: 'blåbær-import.example', aliases: ['jordbær.example'] },
      { ...site!, domain: 'xn--blbr-import-25ad.example', aliases: [] },
    ],
    databases: [
      { ...base!, name: 'new_shop', users: [{ name: 'new_shop', hash: 'mysql-sha2' }] },
      { ...base!, name: 'new_blog', users: [{ name: 'new_shop', hash: 'mysql-sha2' }] },
    ],
    ftp: [{ name: 'alice_old', website: 'blåbær-import.example', path: '', hash: 'other' }],
  }
  const lines = await plan(await archive('/backup/words.tar', found))
  expect(lines[0]).toMatch(/^website:blåbær-import.example changed: Its name is written xn--/)
  expect(lines.join('\n')).toContain('MariaDB does not take passwords in the form of MySQL 8')
  expect(lines.filter((line) => line.startsWith('database:new_')).map((line) => line.split(':')[1])).toEqual([
    'new_shop changed',
    'new_blog changed',
  ])
  expect(lines.find((line) => line.startsWith('ftp:alice_old'))).toContain(
    'it gets a new password, which a one-use link shows: the form of its password is not taken here',
  )
})

it('a running import is paused between two steps, goes on, and is rolled back while it is paused', async () => {
  const found: Inventory = {
    ...nothing,
    account: { ...inventory.account, name: 'halfway' },
    websites: [{ ...site!, domain: 'halfway.example.org', aliases: [] }],
    databases: [
      {
        ...inventory.databases[0]!,
        name: 'halfway_shop',
        users: [{ name: 'halfway_shop', hash: 'mysql-sha2' as const }],
      },
    ],
  }
  const id = await archive('/backup/halfway.tar', found)
  const { body } = await start(id)
  const act = (verb: string) => call('POST', `/archive-imports/${id}/${verb}`)
  const done = async () =>
    (
      await rows<{ n: number }>(
        world.app.db,
        sql`select count(*)::int as n from actions where workflow_id = ${body.workflowId} and status = 'done'`,
      )
    )[0]?.n
  expect((await act('resume')).status).toBe(422)
  expect((await act('pause')).body.data).toMatchObject({ status: 'importing', paused: true, undoing: false })
  expect((await act('pause')).status).toBe(409)
  await carryOutAll(world.app.db, await server())
  expect(await done()).toBe(0)
  expect((await act('resume')).body.data).toMatchObject({ paused: false })
  await failing()
  expect(await done()).toBeGreaterThan(0)
  // the failed step is tried again, and a pause waits for its end
  expect((await act('pause')).status).toBe(422)
  await undo(id)
  const again = await start(id)
  expect([again.status, again.body.message]).toEqual([202, undefined])
  expect((await act('pause')).status).toBe(202)
  expect((await act('roll-back')).body.data).toMatchObject({ paused: false })
  await carryOutAll(world.app.db, await server())
  expect((await call('GET', `/archive-imports/${id}`)).body).toMatchObject({ status: 'rolled-back', undoing: false })
  // steps that the roll back reached before their turn leave no names taken
  const left = await rows(
    world.app.db,
    sql`select name from databases where name = 'halfway_shop' and deleted_at is null union all
      select username from database_users where username = 'halfway_shop' and deleted_at is null`,
  )
  expect(left).toEqual([])
})
