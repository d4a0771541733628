import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { minimal } from '../../kit/host.ts'
import { controlTables, ispconfigLayout, type Lying } from '../archives/ispconfig.ts'
import { type Tables, tablesIn } from '../archives/sqlRows.ts'
import type { MachineAccount, Source } from './account.ts'
import type { FoundBase } from './databases.ts'

export const ispconfigHere = () => existsSync('/usr/local/ispconfig/server/lib/config.inc.php')

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory()

/** The accounts of ISPConfig, one for each client with websites here, by a dump of its control database. */
export async function ispconfigAccounts(bases: readonly FoundBase[]): Promise<MachineAccount[]> {
  const tables = await controlRows()
  const groups = [...new Set((tables.web_domain ?? []).map((one) => one.sys_groupid))]
  const lying: Lying = {
    folder: (path) =>
      /^\/var\/[\w./@-]{1,400}$/.test(path) && !path.includes('..') && isFolder(path) ? path.slice(1) : undefined,
    dump(name) {
      const base = bases.find((one) => one.name === name)
      return base && { path: `databases/${name}.sql`, size: base.bytes }
    },
  }
  return groups.map((group) => {
    const own = { ...tables, web_domain: (tables.web_domain ?? []).filter((one) => one.sys_groupid === group) }
    const layout = ispconfigLayout(own, lying)
    const sources = new Map<string, Source>()
    for (const [path, rule] of layout.rules)
      sources.set(path, rule.kind === 'dump' ? { database: rule.database } : { folder: `/${path}` })
    return { layout, sources }
  })
}

async function controlRows(): Promise<Tables> {
  const argv = ['--protocol=socket', '--single-transaction', '--skip-lock-tables', 'dbispconfig', ...controlTables]
  const child = spawn('mariadb-dump', argv, { cwd: '/', env: minimal, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 128))
  })
  const tables = await tablesIn(child.stdout, controlTables)
  if ((await ended) !== 0) throw new Error('the control database of ISPConfig cannot be read by root over the socket')
  return tables
}
