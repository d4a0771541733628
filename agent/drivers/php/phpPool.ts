import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Driver } from '../../kit/driver.ts'
import {
  absent,
  bringBack,
  exclusive,
  fastcgiGet,
  hasSystemd,
  must,
  notes,
  read,
  remove,
  replace,
  run,
  service,
  throwAway,
  thrown,
} from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { holdMailOf, isHeld, letMailOf } from '../mail/heldAccounts.ts'
import { sitesOf } from '../webServer/webPaths.ts'
import { webServerHere } from '../webServer/webServers.ts'
import { checkExtensions, environmentOf, extensionsLoaded, setExtensions } from './phpPoolExtensions.ts'
import {
  anew,
  atFirst,
  instanceOf,
  masterOf,
  type PoolKey,
  pingPath,
  poolFile,
  poolFolder,
  poolText,
  printOf,
  socketOf,
} from './phpPoolFile.ts'

type Voice = Pick<Context<'php-pool.ensure'>, 'say' | 'fence'>
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

/**
 * Writes the pool file, lets php-fpm check it, reloads and pings the pool. On failure, restores the last working file.
 */
async function set({ say, fence }: Voice, pool: PoolKey, text: string): Promise<void> {
  const file = poolFile(pool)
  const good = await read(file)
  const master = service(masterOf(pool))
  const putBack = async () => {
    await (good === undefined ? remove(file) : replace(file, good))
    await setExtensions(pool, good ?? '')
  }
  fence()
  const starts = await setExtensions(pool, text)
  await replace(file, text)
  const judged = await run(testOf(pool))
  if (judged.code !== 0) {
    await putBack()
    throw new Error(`php-fpm refuses the pool of ${instanceOf(pool)}: ${complaint(judged.stderr)}`)
  }
  try {
    await checkExtensions(pool)
    fence()
    await master.enable()
    if ((await master.settled()) === 'active') await (starts ? master.restart() : master.reload())
    else await master.start()
    await extensionsLoaded(pool)
    await answersAs(pool, text)
    say(`PHP ${pool.phpVersion} of ${instanceOf(pool)} answers on its socket`)
  } catch (error) {
    await putBack()
    if (good !== undefined && (await run(testOf(pool))).code === 0) await master.restart()
    else if (hasSystemd()) await master.stop()
    await extensionsLoaded(pool)
    say('restored the last working pool')
    throw error
  }
}

async function stop({ fence }: Pick<Voice, 'fence'>, pool: PoolKey): Promise<void> {
  fence()
  if (hasSystemd()) {
    const ran = await run(['systemctl', 'disable', '--now', '--quiet', `${masterOf(pool)}.service`])
    if (ran.code !== 0 && !/does not exist|not loaded/.test(ran.stderr)) throw new Error(ran.stderr.trim())
    await run(['systemctl', 'reset-failed', `${masterOf(pool)}.service`]) // fails if the unit never failed
  } else {
    await must(testOf(pool))
    if ((await service(masterOf(pool)).settled()) === 'active') await service(masterOf(pool)).reload()
  }
  await remove(socketOf(pool))
}

/** Pings the pool until its answer names this text: a reload that returns 0 proves nothing. */
async function answersAs(pool: PoolKey, text: string): Promise<void> {
  for (const end = performance.now() + 15_000; performance.now() < end; await sleep(50))
    if (await runs(pool, text)) return
  throw new Error(`the pool of ${instanceOf(pool)} was loaded but does not answer on ${socketOf(pool)}`)
}

async function runs(pool: PoolKey, text: string): Promise<boolean> {
  if (!existsSync(socketOf(pool))) return false
  return (await fastcgiGet(socketOf(pool), pingPath).catch(() => undefined)) === printOf(text) // no answer means no
}

const testOf = (pool: PoolKey): [string, ...string[]] => {
  const config = hasSystemd() ? poolFile(pool) : `/etc/php/${pool.phpVersion}/fpm/php-fpm.conf`
  return ['env', ...environmentOf(pool), `/usr/sbin/php-fpm${pool.phpVersion}`, '--test', '--fpm-config', config]
}

function complaint(stderr: string): string {
  const lines = stderr.split('\n').flatMap((line) => line.match(/(?:ERROR|ALERT|WARNING): (.*)/)?.[1] ?? [])
  return (lines.join('; ') || stderr.trim()).slice(-1500)
}

/** The websites whose site file refers to this pool. */
async function askersOf(pool: PoolKey): Promise<string[]> {
  const folder = sitesOf(webServerHere())
  const files = (await readdir(folder).catch(absent)) ?? []
  const socket = socketOf(pool)
  const found: string[] = []
  for (const name of files.filter((file) => file.endsWith('.conf')))
    if ((await read(`${folder}/${name}`))?.split(/[;|\s]/).some((word) => word.endsWith(`unix:${socket}`)))
      found.push(name.slice(0, -5))
  return found
}
