import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { ACCOUNTS, ask, askRows, named, quoted, shapeOf } from './ask.ts'
import { dress, groupsFor, refuseStrange } from './groups.ts'

export type User = OperationInput<'database-user.ensure'>

export interface Held {
  password: string | null
  login: boolean
  groups: string[]
}

/** The groups of each database that an account has privileges on. */
export const groupsOf = (grants: User['grants']) =>
  Promise.all(
    grants.map(async (grant) => {
      const shape = await shapeOf(grant.database)
      if (!shape) throw new Error(`there is no database ${grant.database} on this server`)
      refuseStrange(grant.database, shape.owner)
      return { database: grant.database, groups: groupsFor(shape.owner, grant) }
    }),
  )
export async function missing(roles: readonly string[]): Promise<string[]> {
  if (!roles.length) return []
  const there = (await ask(`select rolname from pg_roles where rolname in (${roles.map(quoted).join(', ')});`)).split(
    '\n',
  )
  return roles.filter((role) => !there.includes(role))
}
/** Password verifier, lock and groups of an account; undefined if there is none. */
export async function heldBy(user: string): Promise<Held | undefined> {
  const [found] = await askRows<Held>(
    `select json_build_object('password', r.rolpassword, 'login', r.rolcanlogin, 'groups', coalesce((select
      json_agg(g.rolname order by g.rolname) from pg_auth_members a join pg_roles g on g.oid = a.roleid
        where a.member = r.oid and g.rolname like 'ik\\_%'), '[]'))
      from pg_authid r where r.rolname = ${quoted(user)};`,
  )
  return found
}
/** Sets an account. Ends its connections if it loses a group or its login, because an open connection keeps its role. */
export async function become(user: string, { password, login, groups }: Held, before: Held | undefined): Promise<void> {
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
