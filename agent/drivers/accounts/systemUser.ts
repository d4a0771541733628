import { existsSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import {
  absent,
  bringBack,
  ensureDirectory,
  exclusive,
  hasSystemd,
  must,
  type Note,
  notes,
  QuotaLimits,
  quotaOf,
  run,
  thrown,
} from '../../kit/host.ts'
import { kept, restored } from '../files/restored.ts'
import { endPools } from '../php/phpPool.ts'
import { join, siteGroup } from '../sftp/sftp.ts'
import { putBack } from '../sftp/sftpAccess.ts'
import { diskLimitOf, dropDiskLimit, setDiskLimit } from './diskLimit.ts'
import { readSlice, removeSlice, setSlice, sliceText } from './slice.ts'
import { type Account, accountOf, groupId, hasGroup, shadowOf, siteAccount } from './systemAccounts.ts'
import { homeMb } from './systemUserUsage.ts'
import { hasOwnGroup, homeOf, label, servicesOf, takeAway, usesOf, type Voice } from './takeAway.ts'

/**
 * The Linux account of an owner: without password and shell, with limits, and with a home that only the web server may
 * pass through. Undo removes the account only if this action created it and no other website uses it; otherwise undo
 * restores the former limits.
 */
export const ensureSystemUser: Driver<'system-user.ensure'> = {
  run: (c) =>
    exclusive('accounts', async () => {
      const { username, limits, adopted } = c.input
      const before = await accountOf(username)
      if (before && (before.uid < 1000 || before.home !== homeOf(username)))
        throw new Error(`${username} is a system account of this server (uid ${before.uid}, ${before.home})`)
      const isNew = before !== undefined && (await isForeign(username))
      if (isNew && !adopted)
        throw new Error(`${username} is an account of this server that Innkeeper did not create: choose another name`)
      if (isNew && limits.diskMb !== undefined) {
        const used = await homeMb(username)
        if (used > limits.diskMb)
          throw new Error(`${username} has ${used} MiB of files, and could write nothing below ${limits.diskMb} MiB`)
      }
      if (!before && (await hasGroup(username))) throw new Error(`${username} is a system group of this server`)
      const noted = await notes.find('system-user', username)
      if (noted?.by !== c.actionId) {
        const [slice, disk] = [await readSlice(username), await diskLimitOf(username)]
        if (!before) await notes.keep('system-user', username, c.actionId)
        else if (isNew)
          await notes.keep('system-user', username, c.actionId, {
            account: 'adopted',
            ...(await formerOf(before, username)),
          })
        else if (slice !== sliceText(username, limits) || disk !== limits.diskMb) {
          const was = { ...(slice && { slice }), ...(disk !== undefined && { disk: `${disk}` }) }
          // what was there before Innkeeper is known until the account is given back
          const first: Record<string, string> =
            noted && isAdopted(noted) ? { by: `${noted.by}`, ...noted.about } : { account: 'stays' }
          await notes.keep('system-user', username, c.actionId, { ...first, ...was })
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
      const givesBack = note && isAdopted(note) && c.input.adopted
      if (!note || (note.by !== c.actionId && !givesBack))
        return c.say(`${username} was there before: the account stays`)
      if (givesBack) {
        const used = (await servicesOf(username)).filter((one) => !one.startsWith('the PHP pool'))
        if (used.length) return c.say(`${username} has ${used[0]} as well: it stays with Innkeeper`)
        // a pool that another website had asked for first
        await endPools(c, username)
        await giveBack(c, username, note.about)
      } else if (isAdopted(note) || note.about.account === 'stays') {
        const { slice, disk, by, ...first } = note.about
        if (slice) await setSlice(username, slice)
        if (disk) await setDiskLimit(username, Number(disk), c.actionId)
        else await dropDiskLimit(username, formerQuota(first))
        if (by !== undefined) return notes.keep('system-user', username, Number(by), first)
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

/** Whether the account was there before Innkeeper, and is given back when nothing of Innkeeper needs it. */
const isAdopted = ({ about }: Note) => about.account === 'adopted'

/** Whether an account exists without any trace of Innkeeper: somebody created it by hand. */
export const isForeign = async (username: string): Promise<boolean> =>
  (await accountOf(username)) !== undefined &&
  (await notes.find('system-user', username)) === undefined &&
  (await readSlice(username)) === undefined

/** Kind of the note of an account that is being brought back. */
const RETURN = 'system-user-return'

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
      const begun = await notes.find(RETURN, username)
      const about = there?.about ?? (begun?.by === c.actionId ? begun.about : undefined)
      if (!about) return c.say(`${username} was not there before: nothing to bring back`)
      const { uid, gid, slice, diskMb } = about
      if (!(await accountOf(username))) await add(c, username, { uid: Number(uid), gid: Number(gid) })
      if (there) {
        // the trash forgets them with the home, and what follows may have to be repeated
        const kept = Object.entries(about).map(([key, value]) => [key, String(value)])
        await notes.keep(RETURN, username, c.actionId, Object.fromEntries(kept))
        await bringBack(there)
      }
      await home(username, { uid: Number(uid), gid: Number(gid) })
      if (slice) await setSlice(username, String(slice))
      if (diskMb) await setDiskLimit(username, Number(diskMb), c.actionId)
      await putBack(c, { username, uid: Number(uid), gid: Number(gid), home: homeOf(username) }, about)
      await notes.drop(RETURN, username)
      c.say(`${username} is back with uid ${uid}`)
    }),
  async inspect({ input: { username }, task, actionId }) {
    const account = await accountOf(username)
    if (task === 'run') {
      if (account || existsSync(homeOf(username))) return 'no'
      return (await shadowOf(username)) || (await hasOwnGroup(username)) ? 'no' : 'yes'
    }
    const begun = (await notes.find(RETURN, username))?.by === actionId
    return begun || (await thrown(actionId, label(username))) ? 'no' : 'yes'
  },
}

export const restoreSystemUser = restored<'system-user.restore', 'system-user.remove'>(removeSystemUser, (c) =>
  thrown(c.actionId, label(c.input.username)),
)

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

/** Owner and mode of the home of an account that somebody else has set up, and its limits, for undo. */
async function formerOf(account: Account, username: string): Promise<Record<string, string>> {
  const { mode, uid, gid } = await lstat(homeOf(username))
  const quota = await quotaOf(account.uid)
  return {
    ...(quota && { quota: JSON.stringify(quota) }),
    mode: `${mode & 0o7777}`,
    uid: `${uid}`,
    gid: `${gid}`,
    tmp: existsSync(`${homeOf(username)}/tmp`) ? 'stays' : 'goes',
  }
}

const formerQuota = ({ quota }: Note['about']) =>
  quota === undefined ? undefined : QuotaLimits.parse(JSON.parse(quota))

/** The account is as it was before Innkeeper; what websites left in its folder for temporary files stays. */
async function giveBack(c: Voice, username: string, about: Note['about']): Promise<void> {
  const { mode, uid, gid, tmp } = about
  await removeSlice(username)
  const former = formerQuota(about)
  const held = await dropDiskLimit(username, former)
  if (former && held)
    c.say(held.enforced ? 'it has its former disk limit' : `its former disk limit is not set: ${held.why}`)
  await ensureDirectory(homeOf(username), { mode: Number(mode), owner: { uid: Number(uid), gid: Number(gid) } })
  if (tmp === 'goes')
    await run(['rmdir', '--ignore-fail-on-non-empty', '--', `${homeOf(username)}/tmp`], {
      as: await siteAccount(username),
    })
}

async function home(username: string, { uid, gid }: Omit<Account, 'home'>): Promise<void> {
  const path = homeOf(username)
  const there = await lstat(path).catch(absent)
  if (there && there.uid !== uid && there.uid !== 0)
    throw new Error(`${path} belongs to uid ${there.uid}, not to ${username}`)
  await ensureDirectory(path, { mode: 0o710, owner: { uid, gid: await groupId('www-data') } })
  await must(['mkdir', '--parents', '--mode=0700', '--', `${path}/tmp`], { as: { uid, gid } })
}
