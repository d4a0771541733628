import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Context, Driver } from '../../kit/driver.ts'
import {
  absent,
  bringBack,
  exclusive,
  notes,
  read,
  remove,
  replace,
  service,
  throwAway,
  thrown,
} from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { holdMailOf, isHeld, letMailOf } from '../mail/heldAccounts.ts'
import { extensionsLoaded, setExtensions } from './phpPoolExtensions.ts'
import {
  anew,
  atFirst,
  instanceOf,
  masterOf,
  type PoolKey,
  poolFile,
  poolFolder,
  poolText,
  socketOf,
} from './phpPoolFile.ts'
import { answersAs, askersOf, runs, set, stop } from './setPool.ts'

export type Voice = Pick<Context<'php-pool.ensure'>, 'say' | 'fence'>
const nameOf = (pool: PoolKey) => `${instanceOf(pool)}-${pool.phpVersion}`

/**
 * Writes the pool of an account for one PHP version. Undo restores the former pool, or removes the pool if there was
 * none.
 */
export const ensurePhpPool: Driver<'php-pool.ensure'> = {
  run: (c) =>
    exclusive('php', async () => {
      const { input: pool, actionId } = c
      if (!existsSync(`/usr/sbin/php-fpm${pool.phpVersion}`))
        throw new Error(`PHP ${pool.phpVersion} is not installed here`)
      const account = await accountOf(pool.username)
      if (!account) throw new Error(`${pool.username} has no account on this server`)
      if (pool.mail === 'hold') await holdMailOf(account, c)
      else await letMailOf(account.uid, c)
      const text = poolText(pool)
      const before = await read(poolFile(pool))
      if (before !== undefined && atFirst(before) === text && (await runs(pool, before)))
        return c.say(`the pool of ${instanceOf(pool)} is as it should be`)
      if ((await notes.find('php-pool', nameOf(pool)))?.by !== actionId && atFirst(before) !== text)
        await notes.keep('php-pool', nameOf(pool), actionId, before === undefined ? {} : { before })
      await set(c, pool, text)
    }),
  undo: (c) =>
    exclusive('php', async () => {
      const { input: pool, actionId } = c
      const note = await notes.find('php-pool', nameOf(pool))
      if (note?.by !== actionId) return c.say(`the pool of ${instanceOf(pool)} was there before: it stays`)
      const { before } = note.about
      if (before !== undefined) await set(c, pool, before)
      else {
        const [used] = await askersOf(pool)
        if (used) return c.say(`the pool of ${instanceOf(pool)} also serves ${used}: it stays`)
        await remove(poolFile(pool))
        await stop(c, pool)
        await setExtensions(pool, '')
        await extensionsLoaded(pool)
      }
      await notes.drop('php-pool', nameOf(pool))
    }),
  async inspect({ input: pool, task, actionId }) {
    if (task === 'undo') return (await notes.find('php-pool', nameOf(pool)))?.by === actionId ? 'no' : 'yes'
    const text = poolText(pool)
    const account = await accountOf(pool.username)
    if (!account || isHeld(account.uid) !== (pool.mail === 'hold')) return 'no'
    const is = await read(poolFile(pool))
    return is !== undefined && atFirst(is) === text && (await runs(pool, is)) ? 'yes' : 'no'
  },
}

/** Removes the pool. Refuses while a website uses it. */
export const removePhpPool: Driver<'php-pool.remove'> = {
  run: (c) =>
    exclusive('php', async () => {
      const [used] = await askersOf(c.input)
      if (used) throw new Error(`${used} is still served by the pool of ${instanceOf(c.input)}`)
      c.fence()
      await throwAway(c.actionId, poolFile(c.input), `${nameOf(c.input)}.conf`)
      await stop(c, c.input)
      await setExtensions(c.input, '')
      await extensionsLoaded(c.input)
      c.say(`the pool of ${instanceOf(c.input)} is gone`)
      await notes.drop('php-pool', nameOf(c.input))
    }),
  undo: (c) =>
    exclusive('php', async () => {
      const kept = await thrown(c.actionId, `${nameOf(c.input)}.conf`)
      if (kept && (await read(poolFile(c.input))) === undefined) await bringBack(kept)
      const text = await read(poolFile(c.input))
      if (text === undefined) return c.say(`${c.input.username} had no pool: nothing to bring back`)
      await set(c, c.input, text)
    }),
  async inspect({ input: pool, task, actionId }) {
    const text = await read(poolFile(pool))
    if (task === 'run') return text === undefined && !existsSync(socketOf(pool)) ? 'yes' : 'no'
    if (text === undefined) return (await thrown(actionId, `${nameOf(pool)}.conf`)) ? 'no' : 'yes'
    return (await runs(pool, text)) ? 'yes' : 'no'
  },
}

/**
 * Restarts the workers of an account's pools after its files were moved here. The opcode cache checks a compiled file
 * every 2 seconds or, if the website says so, once an hour, and user data in memory never. Running requests complete.
 */
export const renewPhpPools: Driver<'php-pool.renew'> = {
  run: async (c) => (c.input.back ? c.say('PHP was not restarted') : renewAll(c)),
  undo: async (c) => (c.input.back ? renewAll(c) : c.say('PHP is not restarted again')),
  // a repeat is harmless
  inspect: async ({ input, task }) => ((task === 'undo') === (input.back ?? false) ? 'no' : 'yes'),
}

const renewAll = (c: Context<'php-pool.renew'>) =>
  exclusive('php', async () => {
    const pools = await poolsOf(c.input.username)
    for (const pool of pools) {
      const text = await read(poolFile(pool))
      if (text !== undefined) await renew(c, pool, anew(text))
    }
    if (!pools.length) c.say(`${c.input.username} has no PHP here`)
  })

async function renew({ say, fence }: Voice, pool: PoolKey, text: string): Promise<void> {
  fence()
  await replace(poolFile(pool), text)
  const master = service(masterOf(pool))
  if ((await master.settled()) === 'active') await master.reload()
  else await master.start()
  await answersAs(pool, text)
  say(`PHP ${pool.phpVersion} of ${instanceOf(pool)} restarted`)
}

/** The pools of an account and of its websites, in all versions. */
async function poolsOf(username: string): Promise<PoolKey[]> {
  const found: PoolKey[] = []
  for (const phpVersion of (await readdir('/etc/php').catch(absent)) ?? []) {
    if (existsSync(poolFile({ username, phpVersion }))) found.push({ username, phpVersion })
    for (const file of (await readdir(poolFolder(phpVersion)).catch(absent)) ?? []) {
      const [, website] = file.match(/-(\d+)\.conf$/) ?? []
      const pool = { username, phpVersion, website: Number(website) }
      if (website && poolFile(pool).endsWith(`/${file}`)) found.push(pool)
    }
  }
  return found
}
