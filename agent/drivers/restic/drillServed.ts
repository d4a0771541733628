import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type DatabaseEngine, databaseEngine } from '@innkeeper/contract/kit/values'
import type { Context, Driver } from '../../kit/driver.ts'
import { ensureDirectory, exclusive, must, notes, remove, run, spooled } from '../../kit/host.ts'
import { type Account, accountOf } from '../accounts/systemAccounts.ts'
import { adapted, knownFiles } from '../applications/knownConfigs.ts'
import { loadDump } from '../mariadb/loadDump.ts'
import { create, named, quoted, shapeOf, ask as sql } from '../mariadb/mariadbAsk.ts'
import * as postgres from '../postgresql/ask.ts'
import { createDatabase, dropDatabase, loadDump as loadPostgresql } from '../postgresql/dump.ts'
import { dropGroups } from '../postgresql/groups.ts'
import { dropRole, giveScratchAccount } from '../postgresql/role.ts'
import { remote, whyOf } from './ask.ts'
import { requestInside } from './drillRequest.ts'
import { fetchDump } from './restore.ts'
import { leavingNoLock } from './running.ts'

type Drill = Context<'backup-drill.serve'>
const base = '/home/.innkeeper-drills'
/** The account that runs the restored website and owns nothing else. */
const runner = 'innkeeper-drill'
const kind = 'backup-drill'

/**
 * Restores a website on a machine that is not its own, loads its databases, and requests its page. The website runs
 * without a network, as an account that owns nothing else, and everything is deleted again.
 */
export const serveDrill: Driver<'backup-drill.serve'> = {
  run: (c) =>
    exclusive('backup-drill', async () => {
      await clear(c.actionId)
      try {
        const account = await ensureRunner(c)
        const content = `${base}/${c.actionId}`
        await bringFiles(c, content, account)
        const databases = await loadDatabases(c)
        await pointTo(content, databases)
        const page = await requested(c, content, account)
        c.say(
          `${databases.length} databases are loaded; ${page === null ? 'no page was requested' : `the page answers ${page}`}`,
        )
        return { databases: databases.length, page }
      } finally {
        await clear(c.actionId)
      }
    }),
  undo: (c) => exclusive('backup-drill', () => clear(c.actionId)),
  inspect: async ({ task, actionId }) =>
    task === 'undo' && !existsSync(`${base}/${actionId}`) && !(await notes.find(kind, `${actionId}`)) ? 'yes' : 'no',
}

async function ensureRunner(c: Drill): Promise<Account> {
  const known = await accountOf(runner)
  if (known) return known
  c.fence()
  await must([
    'useradd',
    '--system',
    '--home-dir',
    '/nonexistent',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    runner,
  ])
  const made = await accountOf(runner)
  if (!made) throw new Error(`useradd made no account ${runner}`)
  return made
}

async function bringFiles(c: Drill, content: string, { uid, gid }: Account): Promise<void> {
  c.fence()
  await ensureDirectory(base, { mode: 0o711 })
  await ensureDirectory(content, { mode: 0o700 })
  const how = ['--json', '--retry-lock', '2h', '--sparse', '--verify', '--exclude-xattr', 'system.posix_acl_*']
  const words = ['restore', ...how, '--target', content, c.input.snapshot]
  const said = await leavingNoLock(c.input, `drill-${c.actionId}`, await remote(c.input), words)
  if (said.code !== 0) throw new Error(whyOf(said))
  await must(['chown', '--recursive', '--no-dereference', `${uid}:${gid}`, content])
  await must(['chmod', '0700', content])
}

interface Loaded {
  was: string
  name: string
  user: string
  password: string
}

/** A scratch database of one engine with an account of its own. */
interface Engine {
  exists(name: string): Promise<boolean>
  /** Creates the database, loads the dump, and gives the account its rights. Answers the number of tables. */
  load(name: string, file: string, account: { user: string; password: string }): Promise<number>
  drop(names: string[], user: string): Promise<void>
}
const HOSTS = ['localhost', '127.0.0.1']
const mariadb: Engine = {
  exists: async (name) => Boolean(await shapeOf(name)),
  async load(name, file, { user, password }) {
    for (const host of HOSTS)
      await sql(`create user if not exists ${quoted(user)}@${quoted(host)} identified by ${quoted(password)};`)
    await sql(create(name, { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' }))
    const rows = await loadDump(name, file, user)
    for (const host of HOSTS)
      await sql(`grant all privileges on ${named(name.replaceAll('_', '\\_'))}.* to ${quoted(user)}@${quoted(host)};`)
    return Object.keys(rows).length
  },
  async drop(names, user) {
    for (const name of names) await sql(`drop database if exists ${named(name)};`)
    for (const host of HOSTS) await sql(`drop user if exists ${quoted(user)}@${quoted(host)};`)
  },
}
const postgresql: Engine = {
  exists: async (name) => Boolean(await postgres.shapeOf(name)),
  async load(name, file, { user, password }) {
    await createDatabase(name)
    const owner = (await postgres.shapeOf(name))?.owner ?? ''
    const rows = await loadPostgresql(name, file)
    await giveScratchAccount(user, password, owner, name)
    return Object.keys(rows).length
  },
  async drop(names, user) {
    const owners = await Promise.all(names.map(async (name) => (await postgres.shapeOf(name))?.owner ?? []))
    await dropRole(user)
    for (const name of names) await dropDatabase(name)
    for (const owner of owners.flat()) await dropGroups(owner)
  },
}
const engines = { mariadb, postgresql }

async function loadDatabases(c: Drill): Promise<Loaded[]> {
  const { dumps, snapshot: _, domain: __, documentRoot: ___, phpVersion: ____, ...reached } = c.input
  if (!dumps.length) return []
  const names = dumps.map(({ engine = 'mariadb' }, n) => ({ engine, name: `drill_${c.actionId}_${n}` }))
  const user = `drill_${c.actionId}`
  for (const { engine, name } of names)
    if (await engines[engine].exists(name)) throw new Error(`there is a database ${name} already`)
  await notes.keep(kind, `${c.actionId}`, c.actionId, { names: JSON.stringify(names), user })
  const password = randomBytes(18).toString('hex')
  const loaded: Loaded[] = []
  for (const [n, dump] of dumps.entries()) {
    const { engine, name } = names[n] ?? { engine: 'mariadb' as const, name: '' }
    const file = `drill-${c.actionId}-${n}.sql.gz`
    await fetchDump.run({ ...c, input: { ...reached, snapshot: dump.snapshot, name: dump.name, file } })
    try {
      c.fence()
      const tables = await engines[engine].load(name, await spooled(file), { user, password })
      c.say(`${dump.name}: ${tables} tables came back with their rows`)
    } finally {
      await remove(await spooled(file))
    }
    loaded.push({ was: dump.name, name, user, password })
  }
  return loaded
}

/** Writes the scratch databases into the configuration files of known applications. */
async function pointTo(content: string, databases: Loaded[]): Promise<void> {
  if (!databases.length) return
  const names = knownFiles.flatMap((name, i) => [...(i ? ['-o'] : []), '-name', name])
  const argv = [
    'find',
    content,
    '-xdev',
    '-maxdepth',
    '5',
    '-type',
    'f',
    '(',
    ...names,
    ')',
    '-size',
    '-1024k',
    '-print0',
  ] as const
  for (const file of (await must(argv)).split('\0').filter(Boolean)) {
    const made = adapted(basename(file), await readFile(file, 'utf8'), databases)
    // at this point only root can enter the folder
    if (made) await writeFile(file, made.text)
  }
}

/** Status of the page; null if the server lacks the website's PHP version. Throws if the page fails. */
async function requested(c: Drill, content: string, account: Account): Promise<number | null> {
  const { domain, documentRoot, phpVersion } = c.input
  const php = `/usr/bin/php${phpVersion}`
  if (!existsSync(php)) {
    c.say(`PHP ${phpVersion} is not on this server: the page is not requested`)
    return null
  }
  const root = documentRoot ? `${content}/${documentRoot}` : content
  const { status, start } = await requestInside({ root, php, domain, account })
  if (!status) throw new Error(`the restored website does not answer: ${start}`)
  if (status >= 500) throw new Error(`the restored website answers ${status}: ${start}`)
  return status
}

async function clear(actionId: number): Promise<void> {
  await run(['rm', '-rf', '--one-file-system', '--', `${base}/${actionId}`])
  const note = await notes.find(kind, `${actionId}`)
  if (!note) return
  const { names = '[]', user = '' } = note.about
  const all = JSON.parse(names) as { engine: DatabaseEngine; name: string }[] // written by loadDatabases
  for (const engine of databaseEngine.options) {
    const mine = all.filter((one) => one.engine === engine).map(({ name }) => name)
    if (mine.length) await engines[engine].drop(mine, user)
  }
  await notes.drop(kind, `${actionId}`)
}
