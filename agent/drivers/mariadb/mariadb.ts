import { dirname } from 'node:path'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { ensureBase, ensureDirectory, must, replace } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { slowLog, slowRotation, slowSettings } from './slowLog.ts'

type Listen = OperationInput<'mariadb.ensure'>['listen']
const ask = (sql: string) => must(['mariadb', '--protocol=socket', '--batch', '--skip-column-names'], { input: sql })

/** MariaDB: root connects by the socket only, there are no anonymous accounts, and the sample database is dropped. */
export const mariadb = ensureBase<'mariadb.ensure'>(({ listen }) => ({
  title: 'MariaDB',
  unit: 'mariadb',
  program: '/usr/sbin/mariadbd',
  files: {
    '/etc/mysql/mariadb.conf.d/90-innkeeper.cnf': { text: config(listen) },
  },
  prepare: makeReady,
  settle: closeDoors,
  async probe() {
    const [who, version] = (await ask('select current_user(), @@version;')).trim().split('\t')
    if (who !== 'root@localhost') throw new Error(`the socket authenticates root as ${who}`)
    const open = (await ask(intruders)).trim()
    if (open) throw new Error(`these accounts should not be there: ${open.replaceAll('\n', ', ')}`)
    return `version ${version} answers on its socket`
  },
}))

/** Debian's package makes no folder for logs, and lets every account of the server list the names of all databases. */
async function makeReady(): Promise<boolean> {
  const owner = await accountOf('mysql')
  if (!owner) throw new Error('MariaDB is not installed: its package comes first')
  await ensureDirectory(dirname(slowLog), { mode: 0o750, owner })
  await ensureDirectory('/var/lib/mysql', { mode: 0o750, owner })
  await replace('/etc/logrotate.d/innkeeper-mariadb', slowRotation)
  return false
}

/** Anonymous accounts and remote root accounts, quoted for DROP USER. */
const intruders = `select concat(quote(user), '@', quote(host)) from mysql.global_priv
  where user = '' or (user = 'root' and host <> 'localhost');`

async function closeDoors(): Promise<void> {
  const names = (await ask(intruders)).trim().split('\n').filter(Boolean)
  await ask([...names.map((name) => `drop user ${name};`), 'drop database if exists test;'].join('\n'))
}

const config = (listen: Listen) => `# Written by Innkeeper. Changes are overwritten.
[mysqld]
bind-address = ${listen === 'network' ? '*' : '127.0.0.1'}
skip-name-resolve
local-infile = 0
symbolic-links = 0
${slowSettings}character-set-server = utf8mb4
collation-server = utf8mb4_unicode_ci
`
