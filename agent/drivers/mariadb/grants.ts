import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { DatabasePrivilege } from '@innkeeper/contract/kit/values'
import { ask, askRows, named, quoted } from './mariadbAsk.ts'

/** The host of an account from elsewhere, as MariaDB writes it. */
export const accountHost = (host: string) => (host.includes('/') ? withNetmask(host) : host)
/** `10.0.0.0/24` as MariaDB writes it: `10.0.0.0/255.255.255.0`, with the address of the network itself. */
function withNetmask(network: string): string {
  const [address = '', bits = ''] = network.split('/')
  const mask = Number(bits) === 0 ? 0 : (0xffffffff << (32 - Number(bits))) >>> 0
  const written = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.')
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  return `${written((number & mask) >>> 0)}/${written(mask)}`
}

export type User = OperationInput<'database-user.ensure'>
export type Grant = User['grants'][number]
export type Who = Pick<User, 'user' | 'host'>
export const isLocal = ({ host = 'localhost' }: Who) => host === 'localhost'
/** Without a host: the socket, and loopback, which needs an account of its own in MariaDB. */
export const hostsOf = ({ host = 'localhost' }: Who): string[] =>
  host === 'localhost' ? ['localhost', '127.0.0.1'] : [accountHost(host)]

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
/** Whether the account has a privilege that it is not given any more. */
export const losesGrants = (known: readonly Held[], { grants, ...who }: Who & Pick<User, 'grants'>): boolean =>
  known.some(({ host, database, has }) => {
    if (!hostsOf(who).includes(host)) return false
    const grant = grants.find((one) => one.database === database)
    const kept: readonly string[] = grant ? privilegesOf(grant) : []
    return has.split(',').some((one) => one && !kept.includes(one))
  })
const inOrder = (some: readonly DatabasePrivilege[]) => all.filter((one) => some.includes(one))
/** Escapes `_`, which matches any character in the database name of a GRANT. */
export const granting = (account: string, grants: readonly Grant[]) => [
  `revoke all privileges, grant option from ${account};`,
  ...grants.map((grant) => {
    const what = grant.privileges === 'all' ? 'all privileges' : privilegesOf(grant).join(', ')
    return `grant ${what} on ${named(grant.database.replaceAll('_', '\\_'))}.* to ${account};`
  }),
]
