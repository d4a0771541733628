import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import { ensureDirectory, makeOwnCertificate, read, replace, service } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { accountHost } from '../mariadb/grants.ts'
import { ask as askMariadb, askRows as askMariadbRows, quoted as quotedForMariadb } from '../mariadb/mariadbAsk.ts'
import { refreshAccess } from '../postgresql/access.ts'
import { ask, folderOf, newest, portOf, quoted } from '../postgresql/ask.ts'
import { addressesOf, type Door } from './doors.ts'

/** The functions of a database engine that remote access needs. */
interface Engine {
  port(): Promise<number>
  /** Whether the account exists and is not locked. */
  admits(door: Door): Promise<boolean>
  /** Lets the engine listen on the network with TLS, if there are doors. Answers whether it was restarted. */
  listen(doors: readonly Door[]): Promise<boolean>
  /** Ends connections of the account from other machines. */
  cut(user: string): Promise<void>
  /** The certificate that clients see; undefined without TLS. */
  certificate(): Promise<string | undefined>
}

const written = '# Written by Innkeeper. Changes are overwritten.\n'
const tls = '/etc/mysql/innkeeper-tls'

const mariadb: Engine = {
  port: async () => Number((await askMariadb('select @@port;')).trim()),
  async admits({ user, address }) {
    const found = await askMariadbRows<{ locked: 0 | 1 }>(
      `select json_object('locked', coalesce(json_value(priv, '$.account_locked'), 'false') in ('true', '1')) from mysql.global_priv
        where user = ${quotedForMariadb(user)} and host = ${quotedForMariadb(accountHost(address))};`,
    )
    return found.length > 0 && found.every(({ locked }) => !locked)
  },
  async listen(doors) {
    const open = addressesOf(doors, 'mariadb').length > 0
    const file = '/etc/mysql/mariadb.conf.d/91-innkeeper-remote.cnf'
    if (!open && (await read(file)) === undefined) return false
    if ((await read(`${tls}/certificate.pem`)) === undefined) {
      const owner = await accountOf('mysql')
      if (!owner) throw new Error('MariaDB is not installed: its package comes first')
      await ensureDirectory(tls, { mode: 0o755 })
      await makeOwnCertificate({ certificate: `${tls}/certificate.pem`, key: `${tls}/key.pem`, owner })
    }
    const before = await read(file)
    const lines = [
      ...['[mysqld]', `ssl-cert = ${tls}/certificate.pem`, `ssl-key = ${tls}/key.pem`],
      ...['tls_version = TLSv1.2,TLSv1.3', ...(open ? ['bind-address = *'] : [])],
    ]
    await replace(file, `${written}${lines.join('\n')}\n`)
    // without doors the firewall is closed, and a restart would disturb every website of the server
    const [now] = await askMariadbRows<{ bound: string; tls: string }>(
      `select json_object('bound', coalesce(@@bind_address, ''), 'tls', @@have_ssl);`,
    )
    if (!open || (now?.bound === '*' && now.tls === 'YES')) return false
    await service('mariadb')
      .restart()
      .catch(async (error: unknown) => {
        await replace(file, before ?? written)
        await service('mariadb').restart()
        throw error
      })
    return true
  },
  async cut(user) {
    const open = await askMariadbRows<{ id: number }>(
      `select json_object('id', id) from information_schema.processlist where user = ${quotedForMariadb(user)}
        and host <> 'localhost' and host not like '127.0.0.1:%';`,
    )
    for (const { id } of open)
      await askMariadb(`kill ${id};`).catch((error: Error) => {
        if (!/1094/.test(error.message)) throw error // the connection ended by itself
      })
  },
  certificate: () => read(`${tls}/certificate.pem`),
}

const postgresql: Engine = {
  port: async () => Number(await portOf()),
  async admits({ user }) {
    return (await ask(`select rolcanlogin from pg_roles where rolname = ${quoted(user)};`)).trim() === 't'
  },
  async listen(doors) {
    const open = addressesOf(doors, 'postgresql').length > 0
    const version = newest()
    const file = `${folderOf(version)}/conf.d/innkeeper.remote.conf` // read after innkeeper.conf
    if (!open && (await read(file)) === undefined) return false
    await replace(file, `${written}${open ? "listen_addresses = '*'\nssl = on\n" : ''}`)
    await refreshAccess()
    const [listens, secure] = (await ask('show listen_addresses; show ssl;')).trim().split('\n')
    if (!open || (listens === '*' && secure === 'on')) return false
    await service(`postgresql@${version}-main`)
      .restart()
      .catch(async (error: unknown) => {
        await replace(file, written)
        await service(`postgresql@${version}-main`).restart()
        throw error
      })
    return true
  },
  async cut(user) {
    await ask(
      `select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = ${quoted(user)}
        and client_addr is not null and not client_addr <<= '127.0.0.0/8' and client_addr <> '::1';`,
    )
  },
  async certificate() {
    const file = (await ask('show ssl_cert_file;')).trim()
    return (await ask('show ssl;')).trim() === 'on' ? read(file) : undefined
  },
}

export const engines: Record<DatabaseEngine, Engine> = { mariadb, postgresql }
