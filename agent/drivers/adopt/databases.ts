import { existsSync } from 'node:fs'
import { ask, askRows, quoted } from '../mariadb/mariadbAsk.ts'

export interface FoundBase {
  name: string
  bytes: number
  charset: string
  users: { name: string; hash: string }[]
}
const own = ['mysql', 'sys', 'information_schema', 'performance_schema', 'phpmyadmin', 'dbispconfig', 'roundcube']

/** Databases of MariaDB with the accounts that reach them from this machine; none if it is not installed or not root's. */
export async function databasesHere(): Promise<FoundBase[]> {
  if (!existsSync('/usr/bin/mariadb')) return []
  const answers = await ask('select 1;').then(
    () => true,
    () => false, // another server than MariaDB, or root needs a password: nothing is listed
  )
  if (!answers) return []
  // MariaDB would open each view of its own schemas, which takes longer than all else
  const bases = await askRows<Omit<FoundBase, 'users'>>(
    `select json_object('name', s.schema_name, 'charset', s.default_character_set_name, 'bytes', coalesce((select sum(t.data_length)
      from information_schema.tables t where t.table_schema = s.schema_name), 0)) from information_schema.schemata s
      where s.schema_name not in (${own.map((name) => quoted(name)).join(', ')}) order by s.schema_name;`,
  )
  const grants = await askRows<{ db: string; user: string; hash: string | null }>(
    `select distinct json_object('db', d.db, 'user', d.user, 'hash', u.authentication_string) from mysql.db d
      join mysql.user u on u.user = d.user and u.host = d.host where d.user <> '' order by d.db, d.user;`,
  )
  return bases.map((one) => ({
    ...one,
    users: grants
      .filter(({ db }) => db.replaceAll('\\', '') === one.name)
      .map(({ user, hash }) => ({ name: user, hash: hash ?? '' })),
  }))
}
