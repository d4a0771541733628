import type { DatabasePrivilege } from '@innkeeper/contract/values'
import { type Grant, hostsOf, type User, type Who } from './databaseUser.ts'
import { ask, askRows, named, quoted } from './mariadbAsk.ts'

/** SQL that creates the account as it is now, whatever its state when the SQL runs; undefined if there is none. */
export async function textOf(who: Who): Promise<string | undefined> {
  const found = await askRows<{ host: string }>(
    `select json_object('host', host) from mysql.global_priv where user = ${quoted(who.user)}
      and host in (${hostsOf(who).map(quoted).join(', ')}) order by host;`,
  )
  if (!found.length) return undefined
  const accounts = found.map(({ host }) => `${quoted(who.user)}@${quoted(host)}`)
  const said = await ask(
    accounts.map((account) => `show create user ${account};\nshow grants for ${account};`).join('\n'),
  )
  const lines = said.trim().split('\n')
  return `${lines.map((line) => line.replace(/^CREATE USER/, 'CREATE OR REPLACE USER')).join(';\n')};\n`
}
/** Columns of mysql.db, and the privileges that they store. */
const stored: Record<DatabasePrivilege, string> = {
  select: 'select_priv',
  insert: 'insert_priv',
  update: 'update_priv',
  delete: 'delete_priv',
  create: 'create_priv',
  alter: 'alter_priv',
  drop: 'drop_priv',
  index: 'index_priv',
  references: 'references_priv',
  'create temporary tables': 'create_tmp_table_priv',
  'lock tables': 'lock_tables_priv',
  'create view': 'create_view_priv',
  'show view': 'show_view_priv',
  trigger: 'trigger_priv',
  'create routine': 'create_routine_priv',
  'alter routine': 'alter_routine_priv',
  execute: 'execute_priv',
  event: 'event_priv',
}
// safe cast: the keys of a record of all privileges
const all = Object.keys(stored) as DatabasePrivilege[]
const reading: DatabasePrivilege[] = ['select', 'show view']
interface Held {
  host: string
  database: string
  has: string
}
/** The privileges of an account by host and database, in the order of `all`. */
export const grantsOf = ({ user }: Who) =>
  askRows<Held>(
    `select json_object('host', host, 'database', replace(db, '\\\\', ''), 'has', concat_ws(',', ${all
      .map((one) => `if(${stored[one]} = 'Y', ${quoted(one)}, null)`)
      .join(', ')})) from mysql.db where user = ${quoted(user)};`,
  )
const privilegesOf = ({ privileges, chosen = [] }: Grant): DatabasePrivilege[] =>
  privileges === 'all' ? all : privileges === 'read' ? reading : all.filter((one) => chosen.includes(one))
export function sameGrants(known: readonly Held[], { grants, ...who }: Who & Pick<User, 'grants'>): boolean {
  const hosts = hostsOf(who)
  const mine = known.filter(({ host }) => hosts.includes(host))
  const same = (host: string, grant: Grant) =>
    mine.some(
      (one) =>
        one.host === host && one.database === grant.database && one.has === inOrder(privilegesOf(grant)).join(','),
    )
  return mine.length === grants.length * hosts.length && grants.every((one) => hosts.every((host) => same(host, one)))
}
const inOrder = (some: readonly DatabasePrivilege[]) => all.filter((one) => some.includes(one))
/** Escapes `_`, which matches any character in the database name of a GRANT. */
export const granting = (account: string, grants: readonly Grant[]) => [
  `revoke all privileges, grant option from ${account};`,
  ...grants.map((grant) => {
    const what = grant.privileges === 'all' ? 'all privileges' : privilegesOf(grant).join(', ')
    return `grant ${what} on ${named(grant.database.replaceAll('_', '\\_'))}.* to ${account};`
  }),
]
