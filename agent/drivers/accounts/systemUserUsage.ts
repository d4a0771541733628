import type { Driver } from '../../kit/driver.ts'
import { must, run } from '../../kit/host.ts'
import { diskHeld } from './diskLimit.ts'
import { sliceUse } from './slice.ts'
import { accountOf } from './systemAccounts.ts'

/** MiB below the home of an account that somebody else has set up, whoever owns the files. */
export async function homeMb(username: string): Promise<number> {
  const { stdout } = await run(['du', '--summarize', '--one-file-system', '--block-size=1M', '--', `/home/${username}`])
  return Number(stdout.split('\t')[0]) || 0
}

/** What an account uses now. Counts the files as the account, which can read its own home only. */
export const systemUserUsage: Driver<'system-user.usage'> = {
  async run({ input: { username } }) {
    const account = await accountOf(username)
    if (account?.home !== `/home/${username}`) throw new Error(`${username} has no account here`)
    const count = async (...how: string[]) => {
      const said = await must(['du', '--summarize', '--one-file-system', ...how, '--', account.home], {
        as: { uid: account.uid, gid: account.gid },
      })
      return Number(said.split('\t')[0])
    }
    const [diskMb, files, running, diskLimit] = await Promise.all([
      count('--block-size=1M'),
      count('--inodes'),
      sliceUse(username),
      diskHeld(username),
    ])
    return { diskMb, files, diskLimit, ...running }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
