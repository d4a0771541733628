import { randomBytes } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { postgresqlPrivileges } from '@innkeeper/contract/kit/values'
import { ask, askRows, named, quoted, shapeOf } from './ask.ts'

/**
 * Each database has groups: roles without login. The group `ik_3f…` owns the database and its objects; the group
 * `ik_3f…_select` reads them. An account is a member of the groups for its privileges, so that the privileges also apply
 * to later tables, and stay valid when the database is renamed or exchanged.
 */
export const isOurs = (owner: string) => /^ik_[0-9a-f]{12}$/.test(owner)
export const newOwner = () => `ik_${randomBytes(6).toString('hex')}`
const READ = 'select'
type Privilege = (typeof postgresqlPrivileges)[number]
const groupOf = (owner: string, privilege: Privilege) => `${owner}_${privilege.replaceAll(' ', '_')}`
export const readersOf = (owner: string) => groupOf(owner, READ)

type Grant = OperationInput<'database-user.ensure'>['grants'][number]

/** The groups of a database for these privileges. Throws for a privilege that PostgreSQL does not have. */
export function groupsFor(owner: string, { privileges, chosen = [] }: Grant): string[] {
  if (privileges === 'all') return [owner]
  if (privileges === 'read') return [readersOf(owner)]
  return chosen.map((one) => {
    const known = postgresqlPrivileges.find((privilege) => privilege === one)
    if (!known) throw new Error(`PostgreSQL does not grant ${one} by itself`)
    return groupOf(owner, known)
  })
}

/** SQL that creates missing roles, without login. */
export const creating = (roles: readonly string[]) =>
  roles
    .map(
      (role) => `do $$ begin
      if not exists (select from pg_roles where rolname = ${quoted(role)}) then create role ${named(role)} nologin; end if;
    end $$;`,
    )
    .join('\n')

/** Rights of a group in each schema, on present objects and on those that the owner creates later. */
const rights: Record<Privilege, { tables?: string; sequences?: string; functions?: string; schemas?: string }> = {
  select: { tables: 'select', sequences: 'select' },
  insert: { tables: 'insert', sequences: 'usage' },
  update: { tables: 'update', sequences: 'update' },
  delete: { tables: 'delete' },
  references: { tables: 'references' },
  trigger: { tables: 'trigger' },
  execute: { functions: 'execute' },
  create: { schemas: 'create' },
  'create temporary tables': {},
}

/**
 * Grants the groups of a database their privileges. Objects that members with all privileges create belong to the
 * database's owner group. Repeated after each load, because a dump contains no privileges.
 */
export async function dress(name: string): Promise<void> {
  const shape = await shapeOf(name)
  if (!shape) throw new Error(`there is no database ${name} on this server`)
  const { owner } = shape
  refuseStrange(name, owner)
  const there = new Set(
    (
      await askRows<{ role: string }>(
        `select json_build_object('role', rolname) from pg_roles where rolname like ${quoted(`${owner.replaceAll('_', '\\_')}\\_%`)};`,
      )
    ).map(({ role }) => role),
  )
  const privileges = postgresqlPrivileges.filter((one) => there.has(groupOf(owner, one)))
  const lines = [
    `revoke all on database ${named(name)} from public;`,
    `alter default privileges for role ${named(owner)} revoke execute on functions from public;`,
    ...privileges.flatMap((privilege) => {
      const group = named(groupOf(owner, privilege))
      const later = `alter default privileges for role ${named(owner)} grant`
      const { tables, sequences, functions, schemas } = rights[privilege]
      return [
        `grant connect${privilege === 'create temporary tables' ? ', temporary' : ''} on database ${named(name)} to ${group};`,
        `${later} ${schemas ? `usage, ${schemas}` : 'usage'} on schemas to ${group};`,
        inSchemas(`grant ${schemas ? `usage, ${schemas}` : 'usage'} on schema %I to ${group}`),
        ...(tables
          ? [
              `${later} ${tables} on tables to ${group};`,
              inSchemas(`grant ${tables} on all tables in schema %I to ${group}`),
            ]
          : []),
        ...(sequences
          ? [
              `${later} ${sequences} on sequences to ${group};`,
              inSchemas(`grant ${sequences} on all sequences in schema %I to ${group}`),
            ]
          : []),
        ...(functions
          ? [
              `${later} ${functions} on functions to ${group};`,
              inSchemas(`grant ${functions} on all functions in schema %I to ${group}`),
            ]
          : []),
      ]
    }),
    ...(await membersOf(owner)).map(
      (one) => `alter role ${named(one)} in database ${named(name)} set role = ${named(owner)};`,
    ),
  ]
  await ask(lines.join('\n'), { database: name })
}

/** Runs a statement for each schema of the database; `%I` is its name. */
const inSchemas = (statement: string) => `do $$ declare s name; begin
  for s in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
    execute format(${quoted(statement)}, s);
  end loop; end $$;`

export function refuseStrange(name: string, owner: string): void {
  if (!isOurs(owner))
    throw new Error(`${name} belongs to ${owner}, whom Innkeeper did not create: import its dump into a new database`)
}

/** Drops the groups of a deleted database. */
export async function dropGroups(owner: string): Promise<void> {
  refuseStrange('a database that is gone', owner)
  const roles = await askRows<{ role: string }>(
    `select json_build_object('role', rolname) from pg_roles
      where rolname = ${quoted(owner)} or rolname like ${quoted(`${owner.replaceAll('_', '\\_')}\\_%`)};`,
  )
  if (roles.length) await ask(`drop role ${roles.map(({ role }) => named(role)).join(', ')};`)
}

/** Accounts that are members of a group. */
const membersOf = async (group: string) =>
  (
    await askRows<{ role: string }>(
      `select json_build_object('role', m.rolname) from pg_auth_members a join pg_roles g on g.oid = a.roleid
        join pg_roles m on m.oid = a.member where g.rolname = ${quoted(group)} order by 1::text;`.replace(
        'order by 1::text',
        'order by m.rolname',
      ),
    )
  ).map(({ role }) => role)
