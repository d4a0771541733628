import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { must, probe } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { extensionsOf } from '../php/phpExtensions.ts'

/** Counting a large website takes long, and the caller waits ten seconds. */
const PATIENCE_MS = 8000

/** What a move must know about the source or the destination. Null for figures that could not be counted in time. */
export const migrationLook: Driver<'migration.look'> = {
  async run({ input: { phpVersion, folders, sites = [] } }) {
    const { bavail, bsize, ffree, files } = await statfs('/home')
    return {
      free: bavail * bsize,
      /** Null for file systems that allocate inodes dynamically. */
      freeInodes: files > 0 ? ffree : null,
      modules: await modulesOf(phpVersion),
      extensions: await extensionsOf(phpVersion),
      folders: await Promise.all(folders.map(sizeOf)),
      sites: await Promise.all(sites.map(answerOf)),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** What visitors of the website get now. */
async function answerOf(domain: string) {
  const { status = null, text } = await probe('127.0.0.1', 80, domain, '/', PATIENCE_MS)
  return { domain, status, text: status === null ? text.slice(0, 200) : `${status}` }
}

/** The modules that php-fpm lists; none if it is not installed. */
async function modulesOf(phpVersion: string): Promise<string[]> {
  const program = `/usr/sbin/php-fpm${phpVersion}`
  if (!existsSync(program)) return []
  const said = await must([program, '-m'], { timeoutMs: PATIENCE_MS })
  return said.split('\n').flatMap((line) => (/^[A-Za-z][\w .-]{0,60}$/.test(line) ? line.toLowerCase() : []))
}

/** Counts as the account, which can read its own home only. */
async function sizeOf({ username, path }: { username: string; path: string }) {
  const account = await accountOf(username)
  if (!account || !path.startsWith(`${account.home}/`)) return { path, bytes: null, files: null }
  const count = (...how: string[]) =>
    must(['du', '--summarize', '--one-file-system', ...how, '--', path], { as: account, timeoutMs: PATIENCE_MS }).then(
      (said) => Number(said.split('\t')[0]),
      () => null, // too many files to count in time, or unreadable ones
    )
  const [bytes, files] = await Promise.all([count('--block-size=1', '--apparent-size'), count('--inodes')])
  return { path, bytes, files }
}
