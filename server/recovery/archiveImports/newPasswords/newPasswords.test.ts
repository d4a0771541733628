import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { MadeLink, NewPassword } from '@innkeeper/contract/recovery/archiveImports/passwords'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseUsers } from '../../../hosting/databases/tables.ts'
import { crypt } from '../../../kit/app/crypt.ts'
import { secrets } from '../../../kit/app/tables.ts'
import { rows } from '../../../kit/db/db.ts'
import { hashesName } from '../../../net/mailboxes/hashes.ts'
import { inventory, lateDomain } from '../../../test/hostile/world/archives.ts'
import { openWorld, type World } from '../../../test/hostile/world/world.ts'
import { carryOutAll } from '../../../test/work.ts'
import { makeNew } from './bring.ts'
import { forgetNew } from './forget.ts'
import { secretOf } from './secret.ts'

let world: World
let serverId = 0
beforeAll(async () => {
  world = await openWorld()
  const [found] = await rows<{ id: number }>(
    world.app.db,
    sql`select server_id as id from archive_imports where file_name = '/backup/ready.tar'`,
  )
  serverId = found?.id ?? 0
  await world.app.db.execute(sql`update plans set ftp_users = 90, databases = 90, mailboxes = 90`)
  await world.app.db.execute(sql`update server_types set services = services || array['dovecot'] where name = 'web'`)
})
afterAll(() => world.close())

const call = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  token: string | undefined = world.admin,
) => world.call(method, `/api${path}`, { ...(token && { token }), ...(body !== undefined && { body }) })
const open = (link: string) => world.call('POST', '/api/new-passwords', { body: { link } })
const keyOf = ({ link }: MadeLink) => link.split('#')[1] ?? ''
const [site] = inventory.websites
const [base] = inventory.databases
let count = 0

/** An import that is done, whose mailbox, FTP user and database account have new passwords. */
async function imported(): Promise<{ id: number; passwords: NewPassword[] }> {
  count += 1
  const domain = `new${count}.example.org`
  const [box] = lateDomain.mailboxes
  const found: Inventory = {
    ...{ ...inventory, zones: [], account: { ...inventory.account, name: `fresh${count}` } },
    websites: [{ ...site!, domain, aliases: [] }],
    databases: ['shop', 'blog'].map((name) => ({
      ...{ ...base!, name: `fresh${count}_${name}` },
      users: [{ name: `fresh${count}_all`, hash: 'mysql-sha2' as const }],
    })),
    mail: [
      {
        ...{ ...lateDomain, domain },
        mailboxes: [
          { ...box!, name: 'kari' },
          { ...box!, name: 'kept', hash: 'bcrypt' },
        ],
      },
    ],
    ftp: [
      { name: 'old', website: domain, path: '', hash: 'other' },
      { name: 'stays', website: domain, path: '', hash: 'sha512-crypt' },
    ],
  }
  const [{ id = 0 } = {}] = await rows<{ id: number }>(
    world.app.db,
    sql`insert into archive_imports (server_id, source, file_name, status, inventory, staff_name, created_by)
      values (${serverId}, 'path', ${`/backup/${domain}.tar`}, 'ready', ${JSON.stringify(found)}::jsonb, 'Accounts', 1)
      returning archive_import_id as id`,
  )
  const { status, body } = await call('POST', `/archive-imports/${id}/start`, { userId: 1, plan: 1 })
  expect([status, body.message]).toEqual([202, undefined])
  await makeNew(world.app, id, () => {}) // as the step does before it asks the server for hashes
  await carryOutAll(world.app.db, serverId)
  await world.app.db.execute(sql`delete from resource_locks`)
  await world.app.db.execute(
    sql`update workflows set status = 'done', ended_at = now() where workflow_id = ${body.workflowId}`,
  )
  await world.app.db.execute(sql`update archive_imports set status = 'done' where archive_import_id = ${id}`)
  await world.app.db.execute(sql`update websites set status = 'active' where domain = ${domain}`)
  await world.app.db.execute(sql`update ftp_users set state = 'ready' where state = 'creating'`)
  return { id, passwords: await passwordsOf(id) }
}
const passwordsOf = async (id: number): Promise<NewPassword[]> =>
  (await call('GET', `/archive-imports/${id}`)).body.passwords
const stateOf = async (id: number, key: number) => (await passwordsOf(id)).find((one) => one.id === key)?.state
async function linked(id: number, passwordIds: number[]): Promise<MadeLink[]> {
  const { status, body } = await call('POST', `/archive-imports/${id}/links`, { passwordIds })
  expect([status, body.message]).toEqual([200, undefined])
  return body.links
}
const sealed = async (key: number) =>
  (
    await world.app.db
      .select()
      .from(secrets)
      .where(eq(secrets.name, secretOf(key)))
  ).length

it('lists the accounts whose password is new: mailboxes, FTP users and database accounts, each once', async () => {
  const { passwords } = await imported()
  expect(passwords.map(({ kind, login, state, isKept }) => [kind, login, state, isKept])).toEqual([
    ['mailbox', `kari@new${count}.example.org`, 'waiting', true],
    ['database', `fresh${count}_all`, 'waiting', true],
    ['ftp', `fresh${count}_old`, 'waiting', true],
  ])
})

it('a link shows the password once, says who opened it, and leaves it nowhere', async () => {
  const { id, passwords } = await imported()
  const [mailbox, database, ftp] = passwords
  const links = await linked(
    id,
    passwords.map((one) => one.id),
  )
  for (const one of links) expect(one.link).toMatch(/^\/new-password#[\w-]{32}$/)
  const answers = []
  for (const one of links) answers.push((await open(keyOf(one))).body)
  expect(answers).toMatchObject([
    { kind: 'mailbox', login: mailbox?.login, server: 'web-1' },
    { kind: 'database', login: database?.login },
    { kind: 'ftp', login: ftp?.login },
  ])
  const [{ accountId = 0 } = {}] = await rows<{ accountId: number }>(
    world.app.db,
    sql`select account_id as "accountId" from new_passwords where new_password_id = ${database?.id}`,
  )
  const [account] = await world.app.db.select().from(databaseUsers).where(eq(databaseUsers.id, accountId))
  expect(answers[1].password).toBe(await world.app.secrets.read(world.app.db, account?.secret ?? ''))
  for (const [i, one] of passwords.entries()) {
    expect(await sealed(one.id)).toBe(0)
    const again = await open(keyOf(links[i]!))
    expect(again.status).toBe(404)
    expect(again.body.message).toMatch(/^This link was opened on \d{4}-\d\d-\d\d at \d\d:\d\d UTC/)
  }
  expect((await passwordsOf(id))[0]).toMatchObject({ state: 'opened', openedFrom: '127.0.0.1', isKept: false })
  const log = await rows<{ text: string; by: string }>(
    world.app.db,
    sql`select row_to_json(l)::text as text, l.staff_name as by from action_logs l order by action_log_id desc limit 20`,
  )
  expect(log.some(({ by }) => by === `One-use link for ${mailbox?.login}`)).toBe(true)
  const said = log.map(({ text }) => text).join('\n')
  for (const one of [...answers.map(({ password }) => password), ...links.map(keyOf)]) expect(said).not.toContain(one)
})

it('of two who open a link at once, one sees the password', async () => {
  const { id, passwords } = await imported()
  const [link] = await linked(id, [passwords[0]!.id])
  const answers = await Promise.all([1, 2, 3].map(() => open(keyOf(link!))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
})

it('a further link ends the one before and shows the same password; a revoked one opens nothing', async () => {
  const { id, passwords } = await imported()
  const [{ id: key } = { id: 0 }] = passwords
  const [first] = await linked(id, [key])
  const [second] = await linked(id, [key])
  expect((await open(keyOf(first!))).status).toBe(404)
  expect((await call('DELETE', `/archive-imports/${id}/links/${key}`)).status).toBe(204)
  expect(await stateOf(id, key)).toBe('revoked')
  const refused = await open(keyOf(second!))
  expect([refused.status, refused.body.message]).toEqual([
    404,
    'This link does not exist or was revoked. Ask your provider for a new one.',
  ])
  expect((await call('DELETE', `/archive-imports/${id}/links/${key}`)).status).toBe(404)
  const [third] = await linked(id, [key])
  expect((await open(keyOf(third!))).status).toBe(200)
  expect((await open('no-such-link')).body.message).toBe(refused.body.message)
})

it('forgets what nobody opened in time; a further link then sets another password', async () => {
  const { id, passwords } = await imported()
  const [mailbox, , ftp] = passwords
  const links = await linked(id, [mailbox!.id, ftp!.id])
  await world.app.db.execute(sql`update new_passwords set until = now() - interval '1 second' where import_id = ${id}`)
  expect((await open(keyOf(links[0]!))).body.message).toMatch(/^This link has expired/)
  await forgetNew(world.app)
  for (const one of [mailbox!, ftp!]) expect(await sealed(one.id)).toBe(0)
  expect(await stateOf(id, mailbox!.id)).toBe('expired')
  const before = await hashes(mailbox!.login)
  const [again] = await linked(id, [mailbox!.id])
  expect(await hashes(mailbox!.login)).not.toBe(before)
  expect((await open(keyOf(again!))).body.password).toMatch(/^\w{20}$/)
  await carryOutAll(world.app.db, serverId)
  // an FTP user gets its password when the server has it: until then nobody sees one that does not work
  const [later] = await linked(id, [ftp!.id])
  expect(await stateOf(id, ftp!.id)).toBe('setting')
  expect((await open(keyOf(later!))).body.message).toBe('The password is being set. Try again in a minute.')
  await carryOutAll(world.app.db, serverId)
  const { password } = (await open(keyOf(later!))).body
  // the step of the import is repeated: what people have seen keeps its password, and is not sealed again
  const after = await hashes(mailbox!.login)
  const [kept] = (await makeNew(world.app, id, () => {})).values()
  expect(await hashes(mailbox!.login)).toBe(after)
  expect(crypt(password, kept?.split('$')[2])).toBe(kept)
  for (const one of [mailbox!, ftp!]) expect(await sealed(one.id)).toBe(0)
})
const hashes = async (login: string) => {
  const [{ id = 0 } = {}] = await rows<{ id: number }>(
    world.app.db,
    sql`select mailbox_id as id from mailbox_users where address = ${login}`,
  )
  return world.app.secrets.read(world.app.db, hashesName(id))
}

it('a link ends when somebody sets another password, and when the account is deleted', async () => {
  const { id, passwords } = await imported()
  const [mailbox, database] = passwords
  const links = await linked(id, [mailbox!.id, database!.id])
  const [{ userId = 0 } = {}] = await rows<{ userId: number }>(
    world.app.db,
    sql`select mailbox_user_id as "userId" from mailbox_users where address = ${mailbox!.login}`,
  )
  expect((await call('POST', `/mailbox/users/${userId}/password`, {})).status).toBe(202)
  expect(await stateOf(id, mailbox!.id)).toBe('changed')
  expect((await open(keyOf(links[0]!))).body.message).toMatch(/^The password was changed/)
  await world.app.db.execute(
    sql`update database_users set deleted_at = now() where username = ${database!.login} and deleted_at is null`,
  )
  expect((await open(keyOf(links[1]!))).body.message).toBe('The account of this link was deleted.')
  const refused = await call('POST', `/archive-imports/${id}/links`, { passwordIds: [database!.id] })
  expect([refused.status, refused.body.message]).toEqual([422, `${database!.login} was deleted`])
})

it('who makes links needs the permission that shows or sets each password; another import has no part in them', async () => {
  const { id, passwords } = await imported()
  const [mailbox, database] = passwords
  const { token } = await world.somebody(['archive-import:link:create', 'mailbox:user:update'], 'linker')
  const make = (path: number, key: number) =>
    call('POST', `/archive-imports/${path}/links`, { passwordIds: [key] }, token)
  expect((await make(id, database!.id)).body.scopes).toEqual(['database:user:update'])
  expect((await make(id, mailbox!.id)).status).toBe(200)
  const other = await imported()
  expect((await make(other.id, mailbox!.id)).status).toBe(404)
})

it('forgets all of an import that is deleted', async () => {
  const { id, passwords } = await imported()
  const [link] = await linked(id, [passwords[0]!.id])
  expect((await call('DELETE', `/archive-imports/${id}`)).status).toBe(204)
  expect((await open(keyOf(link!))).status).toBe(404)
  for (const one of passwords) expect(await sealed(one.id)).toBe(0)
})

it('an address that guesses links is refused for a while', async () => {
  await world.app.db.execute(sql`delete from sign_in_attempts`)
  const statuses = new Set<number>()
  for (let n = 0; n < 40; n++) statuses.add((await open('guess')).status)
  expect([...statuses]).toEqual([404, 429])
})
