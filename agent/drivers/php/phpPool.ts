import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { absent, beside, bringBack, hasSystemd, notes, read, remove, throwAway, thrown } from '../../kit/host.ts'
import { accountOf, siteAccount } from '../accounts/systemAccounts.ts'
import { holdMailOf, isHeld, letMailOf } from '../mail/heldAccounts.ts'
import { extensionsLoaded, setExtensions } from './phpPoolExtensions.ts'
import { atFirst, instanceOf, type PoolKey, poolFile, poolText, socketOf } from './phpPoolFile.ts'
import { askersOf, runs, set, stop } from './setPool.ts'

const nameOf = (pool: PoolKey) => `${instanceOf(pool)}-${pool.phpVersion}`

/** Nobody else changes this pool. With systemd, each pool has a service and a test of its own; without, all share one. */
const alone = <T>(pool: PoolKey, work: () => Promise<T>): Promise<T> =>
  beside('php', hasSystemd() ? instanceOf(pool) : 'all pools', work)

/**
 * Writes the pool of an account for one PHP version. Undo restores the former pool, or removes the pool if there was
 * none.
 */
export const ensurePhpPool: Driver<'php-pool.ensure'> = {
  run: (c) =>
    alone(c.input, async () => {
      const { input: pool, actionId } = c
      if (!existsSync(`/usr/sbin/php-fpm${pool.phpVersion}`))
        throw new Error(`PHP ${pool.phpVersion} is not installed here`)
      const account = await siteAccount(pool.username)
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
    alone(c.input, async () => {
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

/** Ends the pools of an account that no website asks any more. */
export async function endPools(c: Parameters<typeof stop>[0], username: string): Promise<void> {
  for (const phpVersion of (await readdir('/etc/php').catch(absent)) ?? []) {
    const pool = { username, phpVersion }
    if ((await read(poolFile(pool))) === undefined || (await askersOf(pool)).length) continue
    await remove(poolFile(pool))
    await stop(c, pool)
    await notes.drop('php-pool', nameOf(pool))
  }
}

/** Removes the pool. Refuses while a website uses it. */
export const removePhpPool: Driver<'php-pool.remove'> = {
  run: (c) =>
    alone(c.input, async () => {
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
    alone(c.input, async () => {
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
