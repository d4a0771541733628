import { existsSync } from 'node:fs'
import { glob, lstat, readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Context, Driver } from '../../kit/driver.ts'
import {
  absent,
  bringBack,
  ensureDirectory,
  exclusive,
  hasSystemd,
  must,
  notes,
  read,
  remove,
  run,
  type Thrown,
  throwAway,
  thrown,
} from '../../kit/host.ts'
import { kept, restored } from '../files/restored.ts'
import { letMailOf } from '../mail/heldAccounts.ts'
import { allDropIns, usernameIn } from '../redis/redisUnit.ts'
import { join, keyFile, siteGroup } from '../sftp/sftp.ts'
import { putBack, signInOf } from '../sftp/sftpAccess.ts'
import { sitesOf } from '../webServer/webPaths.ts'
import { webServerHere } from '../webServer/webServers.ts'
import { diskLimitOf, dropDiskLimit, setDiskLimit } from './diskLimit.ts'
import { readSlice, removeSlice, setSlice, sliceText } from './slice.ts'
import { type Account, accountOf, endProcesses, groupId, hasGroup, shadowOf } from './systemAccounts.ts'

type Voice = Context<'system-user.ensure'> | Context<'system-user.remove'>
const homeOf = (username: string) => `/home/${username}`

/**
 * The Linux account of an owner: without password and shell, with limits, and with a home that only the web server may
 * pass through. Undo removes the account only if this action created it and no other website uses it; otherwise undo
 * restores the former limits.
 */
export const ensureSystemUser: Driver<'system-user.ensure'> = {
  run: (c) =>
    exclusive('accounts', async () => {
      const { username, limits } = c.input
      const before = await accountOf(username)
      if (before && (before.uid < 1000 || before.home !== homeOf(username)))
        throw new Error(`${username} is a system account of this server (uid ${before.uid}, ${before.home})`)
      if (!before && (await hasGroup(username))) throw new Error(`${username} is a system group of this server`)
      if ((await notes.find('system-user', username))?.by !== c.actionId) {
        const [slice, disk] = [await readSlice(username), await diskLimitOf(username)]
        if (!before) await notes.keep('system-user', username, c.actionId)
        else if (slice !== sliceText(username, limits) || disk !== limits.diskMb) {
          const was = { ...(slice && { slice }), ...(disk !== undefined && { disk: `${disk}` }) }
          await notes.keep('system-user', username, c.actionId, { account: 'stays', ...was })
        }
      }
      const { uid, gid } = before ? await whole(c, username, before) : await add(c, username)
      await home(username, { uid, gid })
      const enforced = await setSlice(username, sliceText(username, limits))
      c.say(`${username} has uid ${uid} and the home ${homeOf(username)}${before ? ', as before' : ''}`)
      if (!enforced) c.say('limits are not enforced here: this machine has no systemd')
      const disk = limits.diskMb === undefined ? undefined : await setDiskLimit(username, limits.diskMb, c.actionId)
      if (disk?.enforced) c.say(`${limits.diskMb} MiB of disk at most`)
      else if (disk) c.say(`its disk is measured, not enforced: ${disk.why}`)
      return { uid, limits: enforced ? 'enforced' : 'not enforced here', ...(disk && { disk }) }
    }),
  undo: (c) =>
    exclusive('accounts', async () => {
      const { username } = c.input
      const note = await notes.find('system-user', username)
      if (note?.by !== c.actionId) return c.say(`${username} was there before: the account stays`)
      if (note.about.account === 'stays') {
        if (note.about.slice) await setSlice(username, note.about.slice)
        if (note.about.disk) await setDiskLimit(username, Number(note.about.disk), c.actionId)
        else await dropDiskLimit(username)
      } else {
        const [used] = await usesOf(username)
        if (used) return c.say(`${username} has ${used} as well: the account stays`)
        await takeAway(c, username)
      }
      await notes.drop('system-user', username)
    }),
  async inspect({ input: { username, limits }, task, actionId }) {
    if (task === 'undo') return (await notes.find('system-user', username))?.by === actionId ? 'no' : 'yes'
    const account = await accountOf(username)
    if (account?.home !== homeOf(username) || !existsSync(`${account.home}/tmp`)) return 'no'
    if (!(await hasGroup(username)) || !(await shadowOf(username))) return 'no'
    if (limits.diskMb !== undefined && (await diskLimitOf(username)) !== limits.diskMb) return 'no'
    return !hasSystemd() || (await readSlice(username)) === sliceText(username, limits) ? 'yes' : 'no'
  },
}

/**
 * Removes the account and moves its home into the trash. Refuses while a web server, php-fpm or Redis serves the
 * account, because its processes would start again. Undo restores the account with its ids, home and limits.
 */
export const removeSystemUser: Driver<'system-user.remove'> = {
  run: (c) =>
    exclusive('accounts', async () => {
      const { username } = c.input
      const account = await accountOf(username)
      if (account && (account.uid < 1000 || account.home !== homeOf(username)))
        throw new Error(`${username} is a system account of this server: it stays`)
      const [used] = await servicesOf(username)
      if (used) throw new Error(`${username} still has ${used}`)
      await takeAway(c, username, kept(c.input))
      await notes.drop('system-user', username)
      c.say(account ? `${username} is gone; its home is in the trash` : `${username} was gone already`)
    }),
  undo: (c) =>
    exclusive('accounts', async () => {
      const { username } = c.input
      const there = await thrown(c.actionId, label(username))
      if (!there) return c.say(`${username} was not there before: nothing to bring back`)
      const { uid, gid, slice, diskMb } = there.about
      if (!(await accountOf(username))) await add(c, username, { uid: Number(uid), gid: Number(gid) })
      await bringBack(there)
      await home(username, { uid: Number(uid), gid: Number(gid) })
      if (slice) await setSlice(username, String(slice))
      if (diskMb) await setDiskLimit(username, Number(diskMb), c.actionId)
      await putBack(c, { username, uid: Number(uid), gid: Number(gid), home: homeOf(username) }, there.about)
      c.say(`${username} is back with uid ${uid}`)
    }),
  async inspect({ input: { username }, task, actionId }) {
    const account = await accountOf(username)
    if (task === 'run') {
      if (account || existsSync(homeOf(username))) return 'no'
      return (await shadowOf(username)) || (await hasOwnGroup(username)) ? 'no' : 'yes'
    }
    return (await thrown(actionId, label(username))) ? 'no' : 'yes'
  },
}

export const restoreSystemUser = restored<'system-user.restore', 'system-user.remove'>(removeSystemUser, (c) =>
  thrown(c.actionId, label(c.input.username)),
)

const label = (username: string) => `home-${username}`

async function add({ fence }: Pick<Voice, 'fence'>, username: string, ids?: Omit<Account, 'home'>): Promise<Account> {
  fence()
  // the former uid and gid, so that the account owns its files again
  if (ids) await must(['groupadd', '--force', '--gid', `${ids.gid}`, '--', username])
  const numbers = ids ? ['--uid', `${ids.uid}`, '--gid', `${ids.gid}`] : ['--user-group']
  const fixed = [
    '--no-create-home',
    '--home-dir',
    homeOf(username),
    '--shell',
    '/usr/sbin/nologin',
    '--comment',
    'Innkeeper',
  ]
  await must(['useradd', ...numbers, ...fixed, '--', username])
  if (await hasGroup(siteGroup)) await join(username)
  const account = await accountOf(username)
  if (!account) throw new Error(`useradd created ${username}, but getent does not find it`)
  return account
}

/** Adds what is missing if useradd was killed: useradd writes /etc/passwd before /etc/shadow and /etc/group. */
async function whole({ fence }: Pick<Voice, 'fence'>, username: string, account: Account): Promise<Account> {
  fence()
  if (!(await hasGroup(username))) await must(['groupadd', '--gid', `${account.gid}`, '--', username])
  if (!(await shadowOf(username))) {
    await must(['pwconv']) // adds a line for each account without one
    await must(['usermod', '--password', '!', '--', username])
  }
  return account
}

async function home(username: string, { uid, gid }: Omit<Account, 'home'>): Promise<void> {
  const path = homeOf(username)
  const there = await lstat(path).catch(absent)
  if (there && there.uid !== uid && there.uid !== 0)
    throw new Error(`${path} belongs to uid ${there.uid}, not to ${username}`)
  await ensureDirectory(path, { mode: 0o710, owner: { uid, gid: await groupId('www-data') } })
  await must(['mkdir', '--parents', '--mode=0700', '--', `${path}/tmp`], { as: { uid, gid } })
}

async function takeAway(
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
const hasOwnGroup = async (username: string) => (await hasGroup(username)) && (await groupId(username)) >= 1000

/** What the web server, php-fpm and Redis still serve for an account, in words. */
async function servicesOf(username: string): Promise<string[]> {
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
async function usesOf(username: string): Promise<string[]> {
  const folders = ((await readdir(homeOf(username)).catch(absent)) ?? []).filter(
    (name) => name !== 'tmp' && !name.startsWith('.'),
  )
  return [...(await servicesOf(username)), ...folders.map((name) => `the folder ${name}`)]
}
