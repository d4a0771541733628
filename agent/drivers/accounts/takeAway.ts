import { glob, readdir } from 'node:fs/promises'
import { basename } from 'node:path/posix'
import type { Context } from '../../kit/driver.ts'
import { absent, must, read, remove, run, type Thrown, throwAway } from '../../kit/host.ts'
import { letMailOf } from '../mail/heldAccounts.ts'
import { allDropIns, usernameIn } from '../redis/redisUnit.ts'
import { keyFile } from '../sftp/sftp.ts'
import { signInOf } from '../sftp/sftpAccess.ts'
import { sitesOf } from '../webServer/webPaths.ts'
import { webServerHere } from '../webServer/webServers.ts'
import { diskLimitOf, dropDiskLimit } from './diskLimit.ts'
import { readSlice, removeSlice } from './slice.ts'
import { accountOf, endProcesses, groupId, hasGroup, shadowOf } from './systemAccounts.ts'

export type Voice = Context<'system-user.ensure'> | Context<'system-user.remove'>
export const homeOf = (username: string) => `/home/${username}`
export const label = (username: string) => `home-${username}`

export async function takeAway(
  { actionId, fence }: Pick<Voice, 'actionId' | 'fence'>,
  username: string,
  about: Thrown['about'] = {},
): Promise<void> {
  const account = await accountOf(username)
  const [slice, diskMb] = [await readSlice(username), await diskLimitOf(username)]
  fence()
  if (account) {
    const { uid, gid } = account
    await endProcesses(uid)
    const signIn = await signInOf(username)
    await throwAway(actionId, homeOf(username), label(username), {
      uid,
      gid,
      ...(slice && { slice }),
      ...(diskMb !== undefined && { diskMb }),
      ...signIn,
      ...about,
    })
    await remove(keyFile(username)) // the next account of this name belongs to somebody else
    await remove(`/var/spool/cron/crontabs/${username}`)
    await letMailOf(uid, { fence })
    await dropDiskLimit(username) // setquota needs the name, which ends with userdel
    const gone = async () => (await run(['userdel', '--', username])).code
    const code = await gone()
    if (code === 8) await endProcesses(uid) // another process has started meanwhile
    if (code !== 0 && code !== 6) await must(['userdel', '--', username])
  } else {
    await throwAway(actionId, homeOf(username), label(username), about)
    await dropRemains(username)
  }
  await removeSlice(username)
}
/** A killed userdel has removed the account from /etc/passwd, and not yet from /etc/shadow and /etc/group. */
async function dropRemains(username: string): Promise<void> {
  if (await shadowOf(username)) await must(['pwconv']) // removes the lines without an account
  if (await hasOwnGroup(username)) await must(['groupdel', '--', username])
}
/** Groups of the system have lower numbers. */
export const hasOwnGroup = async (username: string) => (await hasGroup(username)) && (await groupId(username)) >= 1000
/** What the web server, php-fpm and Redis still serve for an account, in words. */
export async function servicesOf(username: string): Promise<string[]> {
  const pools = (
    await Array.fromAsync(
      glob([`/etc/innkeeper/php/*/${username}.conf`, `/etc/php/*/fpm/pool.d/innkeeper-${username}.conf`]),
    )
  ).map((file) => `the PHP pool ${file}`)
  const sites: string[] = []
  for (const file of await Array.fromAsync(glob(`${sitesOf(webServerHere())}/*.conf`)))
    if ((await read(file))?.includes(` /home/${username}/`)) sites.push(`the website ${basename(file, '.conf')}`)
  const caches: string[] = []
  for (const file of await Array.fromAsync(glob(allDropIns)))
    if (usernameIn((await read(file)) ?? '') === username) caches.push(`the Redis cache ${file}`)
  return [...sites, ...pools, ...caches]
}
/** The services of an account, and the website folders in its home. */
export async function usesOf(username: string): Promise<string[]> {
  const folders = ((await readdir(homeOf(username)).catch(absent)) ?? []).filter(
    (name) => name !== 'tmp' && !name.startsWith('.'),
  )
  return [...(await servicesOf(username)), ...folders.map((name) => `the folder ${name}`)]
}
