import { existsSync } from 'node:fs'
import { readdir, statfs } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { absent, must, probe } from '../../kit/host.ts'
import { program as crontab, crontabOf } from '../accounts/crontab.ts'
import { jobsBeside, jobsOf } from '../accounts/crontabText.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { isForeign } from '../accounts/systemUser.ts'
import { textOf } from '../mariadb/grants.ts'
import * as mariadb from '../mariadb/mariadbAsk.ts'
import { extensionsOf } from '../php/phpExtensions.ts'
import * as postgresql from '../postgresql/ask.ts'
import { heldBy } from '../postgresql/role.ts'

const MOST_BESIDE = 100

/** What a move must know about the source or the destination. Null for figures that could not be counted in time. */
export const migrationLook: Driver<'migration.look'> = {
  async run({ input: { phpVersion, folders, sites = [], homes = [], newcomers } }) {
    const { bavail, bsize, ffree, files } = await statfs('/home')
    return {
      free: bavail * bsize,
      /** Null for file systems that allocate inodes dynamically. */
      freeInodes: files > 0 ? ffree : null,
      modules: await modulesOf(phpVersion),
      extensions: await extensionsOf(phpVersion),
      folders: await Promise.all(folders.map(sizeOf)),
      sites: await Promise.all(sites.map(answerOf)),
      beside: (await Promise.all(homes.map(besideIn))).flat().slice(0, MOST_BESIDE),
      cron: existsSync(crontab),
      jobs: await Promise.all(homes.map(jobsIn)),
      taken: newcomers ? await takenOf(newcomers) : [],
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

type Home = NonNullable<OperationInput<'migration.look'>['homes']>[number]

/** Entries of a home besides its websites and `tmp`. Symlinks of former names are left out. */
async function besideIn({ username, websites }: Home): Promise<string[]> {
  const account = await accountOf(username)
  if (!account) return []
  const own = new Set<string>(['tmp', ...websites])
  const found = (await readdir(account.home, { withFileTypes: true }).catch(absent)) ?? []
  return found.flatMap((one) => (own.has(one.name) || one.isSymbolicLink() ? [] : `${username}/${one.name}`)).sort()
}

/** The cron jobs of an account, and how many of them name no folder of its websites. */
async function jobsIn({ username, websites }: Home) {
  const text = (await accountOf(username)) ? await crontabOf(username) : ''
  const folders = websites.map((website) => `/home/${username}/${website}`)
  return { username, jobs: jobsOf(text.split('\n')), unnamed: jobsBeside(text, folders) }
}

type Newcomers = NonNullable<OperationInput<'migration.look'>['newcomers']>

/** The names that this server has already, with what they name. An engine that is not installed has none. */
async function takenOf({ accounts, databases, databaseUsers }: Newcomers): Promise<string[]> {
  const taken: string[] = []
  for (const username of accounts) if (await isForeign(username)) taken.push(`account ${username}`)
  for (const { engine, name } of databases) {
    const { shapeOf } = engine === 'mariadb' ? mariadb : postgresql
    if (await shapeOf(name).catch(() => undefined)) taken.push(`database ${name}`)
  }
  for (const { engine, user, host } of databaseUsers) {
    const found = engine === 'mariadb' ? textOf({ user, host }) : heldBy(user)
    if (await found.catch(() => undefined)) taken.push(`database account ${user}`)
  }
  return taken
}

/** What visitors of the website get now. */
async function answerOf(domain: string) {
  const { status = null, text } = await probe('127.0.0.1', 80, domain)
  return { domain, status, text: status === null ? text.slice(0, 200) : `${status}` }
}

/** The modules that php-fpm lists; none if it is not installed. */
async function modulesOf(phpVersion: string): Promise<string[]> {
  const program = `/usr/sbin/php-fpm${phpVersion}`
  if (!existsSync(program)) return []
  const said = await must([program, '-m'])
  return said.split('\n').flatMap((line) => (/^[A-Za-z][\w .-]{0,60}$/.test(line) ? line.toLowerCase() : []))
}

/** Counts as the account, which can read its own home only. */
async function sizeOf({ username, path }: { username: string; path: string }) {
  const account = await accountOf(username)
  if (!account || !path.startsWith(`${account.home}/`)) return { path, bytes: null, files: null }
  const count = (...how: string[]) =>
    must(['du', '--summarize', '--one-file-system', ...how, '--', path], { as: account }).then(
      (said) => Number(said.split('\t')[0]),
      () => null, // too many files to count in time, or unreadable ones
    )
  const [bytes, files] = await Promise.all([count('--block-size=1', '--apparent-size'), count('--inodes')])
  return { path, bytes, files }
}
