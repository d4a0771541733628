import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, notes, read, replace, spooled, takeOut, throwAway, thrown } from '../../kit/host.ts'
import { kept, restored } from '../files/restored.ts'
import { ACCOUNTS, ask, askRows, named, quoted, shapeOf } from './ask.ts'
import { creating, dress, groupsFor, refuseStrange } from './groups.ts'

type User = OperationInput<'database-user.ensure'>
interface Held {
  password: string | null
  login: boolean
  groups: string[]
}

const KIND = 'pg-database-user'
const label = (user: string) => `${user}.pg-database-user`

/** Sets an account to exactly these privileges. Undo restores its former ones and its password, or removes it. */
export const ensureUser: Driver<'database-user.ensure'> = {
  run: (c) =>
    exclusive(`pg-database-user ${c.input.user}`, async () => {
      const { user, password, locked, grants } = c.input
      refuseReserved(c.input)
      const before = await heldBy(user)
      if (!before && !password) throw new Error(`${user} does not exist, and no password is given to create it`)
      const wanted = await groupsOf(grants)
      if ((await notes.find(KIND, user))?.by !== c.actionId)
        await notes.keep(KIND, user, c.actionId, before ? { before: JSON.stringify(before) } : {})
      c.fence()
      const fresh = await missing(wanted.flatMap(({ groups }) => groups))
      if (fresh.length) {
        await ask(creating(fresh))
        for (const { database, groups } of wanted) if (groups.some((one) => fresh.includes(one))) await dress(database)
      }
      const verifier = password ? verifierOf(password) : (before?.password ?? null)
      await become(user, { password: verifier, login: !locked, groups: wanted.flatMap(({ groups }) => groups) }, before)
      const to = grants.map(({ database }) => database).join(', ')
      c.say(`${user} ${locked ? 'is locked' : 'can connect'}${to && `; its own: ${to}`}`)
    }),
  undo: (c) =>
    exclusive(`pg-database-user ${c.input.user}`, async () => {
      const { user } = c.input
      const note = await notes.find(KIND, user)
      if (note?.by !== c.actionId) return c.say(`${user} was not changed by this action: it stays`)
      c.fence()
      const before = note.about.before
      if (before)
        await become(user, JSON.parse(before) as Held, await heldBy(user)) // written by run
      else await dropRole(user)
      await notes.drop(KIND, user)
      c.say(before ? `${user} is as it was before` : `${user} is removed`)
    }),
  async inspect({ input: { user, locked, password, grants }, task, actionId }) {
    if (task === 'undo') return (await notes.find(KIND, user))?.by === actionId ? 'no' : 'yes'
    const held = await heldBy(user)
    if (password || !held || held.login === locked) return 'no' // setting a password again is harmless
    const wanted = (await groupsOf(grants)).flatMap(({ groups }) => groups)
    return wanted.length === held.groups.length && wanted.every((one) => held.groups.includes(one)) ? 'yes' : 'no'
  },
}

/** Moves the password verifier and the groups of an account into the trash. Undo restores them. */
export const removeUser: Driver<'database-user.remove'> = {
  run: (c) =>
    exclusive(`pg-database-user ${c.input.user}`, async () => {
      const { user } = c.input
      const held = await heldBy(user)
      if (held && !(await thrown(c.actionId, label(user)))) {
        const file = await spooled(`user-${c.actionId}.json`)
        await replace(file, JSON.stringify(held), { mode: 0o600 })
        c.fence()
        await throwAway(c.actionId, file, label(user), kept(c.input))
      }
      c.fence()
      await dropRole(user)
      await notes.drop(KIND, user)
      c.say(held ? `${user} can no longer connect` : `${user} was gone already`)
    }),
  undo: (c) =>
    exclusive(`pg-database-user ${c.input.user}`, async () => {
      const { user } = c.input
      const there = await thrown(c.actionId, label(user))
      const text = there && (await read(there.path))
      if (!there || !text) return c.say(`${user} is not in the trash of this action`)
      const held = JSON.parse(text) as Held // written by run
      const gone = await missing(held.groups)
      c.fence()
      await become(user, { ...held, groups: held.groups.filter((one) => !gone.includes(one)) }, await heldBy(user))
      await takeOut(there)
      c.say(`${user} is back, with its password and rights`)
    }),
  async inspect({ input: { user }, task, actionId }) {
    if (task === 'undo') return (await thrown(actionId, label(user))) ? 'no' : 'yes'
    return (await heldBy(user)) ? 'no' : 'yes'
  },
}

export const restoreUser = restored<'database-user.restore', 'database-user.remove'>(removeUser, (c) =>
  thrown(c.actionId, label(c.input.user)),
)

function refuseReserved({ user }: Pick<User, 'user'>): void {
  if (/^(?:pg_|ik_)/.test(user)) throw new Error(`${user} is a name of the server itself`)
}

/** The groups of each database that an account has privileges on. */
const groupsOf = (grants: User['grants']) =>
  Promise.all(
    grants.map(async (grant) => {
      const shape = await shapeOf(grant.database)
      if (!shape) throw new Error(`there is no database ${grant.database} on this server`)
      refuseStrange(grant.database, shape.owner)
      return { database: grant.database, groups: groupsFor(shape.owner, grant) }
    }),
  )

async function missing(roles: readonly string[]): Promise<string[]> {
  if (!roles.length) return []
  const there = (await ask(`select rolname from pg_roles where rolname in (${roles.map(quoted).join(', ')});`)).split(
    '\n',
  )
  return roles.filter((role) => !there.includes(role))
}

/** Password verifier, lock and groups of an account; undefined if there is none. */
async function heldBy(user: string): Promise<Held | undefined> {
  const [found] = await askRows<Held>(
    `select json_build_object('password', r.rolpassword, 'login', r.rolcanlogin, 'groups', coalesce((select
      json_agg(g.rolname order by g.rolname) from pg_auth_members a join pg_roles g on g.oid = a.roleid
        where a.member = r.oid and g.rolname like 'ik\\_%'), '[]'))
      from pg_authid r where r.rolname = ${quoted(user)};`,
  )
  return found
}

/** Sets an account. Ends its connections if it loses a group or its login, because an open connection keeps its role. */
async function become(user: string, { password, login, groups }: Held, before: Held | undefined): Promise<void> {
  const lost = before?.groups.filter((one) => !groups.includes(one)) ?? []
  const role = named(user)
  await ask(
    [
      'begin;',
      before ? '' : `create role ${role};`,
      `alter role ${role} with ${login ? 'login' : 'nologin'} nosuperuser nocreatedb nocreaterole noreplication
        inherit${password === null ? '' : ` password ${quoted(password)}`};`,
      `grant ${named(ACCOUNTS)} to ${role};`,
      ...lost.map((one) => `revoke ${named(one)} from ${role};`),
      ...groups.map((one) => `grant ${named(one)} to ${role};`),
      // an account with all privileges in a database creates every object as the database's owner
      `do $$ declare d record; begin
        for d in select datname, pg_get_userbyid(datdba) as owner from pg_database where not datistemplate loop
          if d.owner in (${[...groups, ''].map(quoted).join(', ')}) then
            execute format('alter role %I in database %I set role = %L', ${quoted(user)}, d.datname, d.owner);
          elsif d.owner in (${[...lost, ''].map(quoted).join(', ')}) then
            execute format('alter role %I in database %I reset role', ${quoted(user)}, d.datname);
          end if;
        end loop; end $$;`,
      'commit;',
      login && !lost.length ? '' : ending(user),
    ].join('\n'),
  )
}

const ending = (user: string) =>
  `select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = ${quoted(user)};`

/** Drops an account. Objects that it created under its own name, after RESET ROLE, go to the owner of their database. */
export async function dropRole(user: string): Promise<void> {
  const [found] = await askRows<{ login: boolean }>(
    `select json_build_object('login', rolcanlogin) from pg_roles where rolname = ${quoted(user)};`,
  )
  if (!found) return
  await ask(`alter role ${named(user)} nologin;\n${ending(user)}`)
  const owning = await askRows<{ database: string; owner: string }>(
    `select distinct jsonb_build_object('database', d.datname, 'owner', pg_get_userbyid(d.datdba)) from pg_shdepend s
      join pg_database d on d.oid = s.dbid join pg_roles r on r.oid = s.refobjid
      where s.refclassid = 'pg_authid'::regclass and r.rolname = ${quoted(user)};`,
  )
  for (const { database, owner } of owning)
    await ask(`reassign owned by ${named(user)} to ${named(owner)};\ndrop owned by ${named(user)};`, { database })
  await ask(`drop role if exists ${named(user)};`)
}

/** The SCRAM verifier that PostgreSQL stores for a password, computed here, so that no log of the server has the password. */
export function verifierOf(password: string, salt = randomBytes(16), rounds = 4096): string {
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256')
  const mac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(mac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${mac('Server Key').toString('base64')}`
}

/** Creates a temporary account with all rights on one database. */
export const giveScratchAccount = async (
  user: string,
  password: string,
  owner: string,
  name: string,
): Promise<void> => {
  await become(user, { password: verifierOf(password), login: true, groups: [owner] }, await heldBy(user))
  await dress(name)
}
