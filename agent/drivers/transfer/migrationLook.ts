import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { must } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'

/** Counting a large website takes long; who asks waits ten seconds. */
const PATIENCE_MS = 8000

/** What a move has to know of either end. What could not be counted in time is null. */
export const migrationLook: Driver<'migration.look'> = {
  async run({ input: { phpVersion, folders } }) {
    const { bavail, bsize, ffree, files } = await statfs('/home')
    return {
      free: bavail * bsize,
      /** Some file systems make them as they need them, and have no number. */
      freeInodes: files > 0 ? ffree : null,
      modules: await modulesOf(phpVersion),
      folders: await Promise.all(folders.map(sizeOf)),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // looking once more is harmless
}

/** As php-fpm itself says them; none where it is not there. */
async function modulesOf(phpVersion: string): Promise<string[]> {
  const program = `/usr/sbin/php-fpm${phpVersion}`
  if (!existsSync(program)) return []
  const said = await must([program, '-m'], { timeoutMs: PATIENCE_MS })
  return said.split('\n').flatMap((line) => (/^[A-Za-z][\w .-]{0,60}$/.test(line) ? line.toLowerCase() : []))
}

/** Counted as the account itself, which sees its home and no more. */
async function sizeOf({ username, path }: { username: string; path: string }) {
  const account = await accountOf(username)
  if (!account || !path.startsWith(`${account.home}/`)) return { path, bytes: null, files: null }
  const count = (...how: string[]) =>
    must(['du', '--summarize', '--one-file-system', ...how, '--', path], { as: account, timeoutMs: PATIENCE_MS }).then(
      (said) => Number(said.split('\t')[0]),
      () => null, // too many to count in time, or some that even its owner may not read
    )
  const [bytes, files] = await Promise.all([count('--block-size=1', '--apparent-size'), count('--inodes')])
  return { path, bytes, files }
}
