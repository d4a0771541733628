import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context, Driver } from '../../kit/driver.ts'
import {
  ensureDirectory,
  exclusive,
  hasSystemd,
  must,
  notes,
  read,
  reloadUnits,
  remove,
  replace,
  run,
  service,
} from '../../kit/host.ts'
import { siteAccount } from '../accounts/systemAccounts.ts'
import { masterOf } from '../php/phpPoolFile.ts'
import { askRedis } from './redisStatus.ts'
import { dropIn, redisProgram, redisText, stateIn, template, templateFile, unitOf, usernameIn } from './redisUnit.ts'

type Voice = Pick<Context<'redis.ensure'>, 'say' | 'fence'>
const kind = 'redis'

/** The Redis of a website. Undo restores the former settings, or removes the Redis if there was none. */
export const ensureRedis: Driver<'redis.ensure'> = {
  run: (c) =>
    exclusive('redis', async () => {
      const { input, actionId } = c
      const { websiteId, username, phpVersion } = input
      if (!hasSystemd()) throw new Error('a Redis for each website needs systemd, which this server lacks')
      if (!existsSync(redisProgram)) throw new Error('Redis is not installed: its package comes first')
      await siteAccount(username)
      const text = redisText(input)
      const before = await read(dropIn(websiteId))
      if ((await notes.find(kind, `${websiteId}`))?.by !== actionId && before !== text)
        await notes.keep(kind, `${websiteId}`, actionId, before === undefined ? {} : { before })
      c.fence()
      await silenceDebians(c)
      const changed = await replace(templateFile, template)
      if (!input.empty && before === text && !changed && (await isAsSaid(websiteId, text)))
        return c.say(`the Redis of website ${websiteId} is as it should be`)
      await set(c, websiteId, text)
      if (phpVersion && input.state === 'active') await tellPhp({ username, phpVersion })
    }),
  undo: (c) =>
    exclusive('redis', async () => {
      const { websiteId } = c.input
      const note = await notes.find(kind, `${websiteId}`)
      if (note?.by !== c.actionId) {
        const there = c.input.empty && (await read(dropIn(websiteId)))
        if (there) await set(c, websiteId, there) // undo of emptying: restart with the same settings
        return c.say(`the Redis of website ${websiteId} was there before: it stays`)
      }
      const { before } = note.about
      if (before !== undefined) await set(c, websiteId, before)
      else await takeAway(c, websiteId)
      await notes.drop(kind, `${websiteId}`)
    }),
  async inspect({ input, task, actionId }) {
    if (input.empty) return 'no' // a repeat is harmless
    if (task === 'undo') return (await notes.find(kind, `${input.websiteId}`))?.by === actionId ? 'no' : 'yes'
    if ((await read(dropIn(input.websiteId))) !== redisText(input)) return 'no'
    return (await isAsSaid(input.websiteId, redisText(input))) ? 'yes' : 'no'
  },
}

/** Removes the Redis and its content, which is only a cache. Undo restores it, empty. */
export const removeRedis: Driver<'redis.remove'> = {
  run: (c) =>
    exclusive('redis', async () => {
      const { websiteId } = c.input
      const before = await read(dropIn(websiteId))
      if (before !== undefined) await notes.keep('redis-removed', `${websiteId}`, c.actionId, { before })
      await takeAway(c, websiteId)
      await notes.drop(kind, `${websiteId}`)
      c.say(`website ${websiteId} has no Redis any more`)
    }),
  undo: (c) =>
    exclusive('redis', async () => {
      const { websiteId } = c.input
      const note = await notes.find('redis-removed', `${websiteId}`)
      const before = note?.by === c.actionId ? note.about.before : undefined
      if (before === undefined) return c.say(`website ${websiteId} had no Redis: nothing to bring back`)
      await set(c, websiteId, before)
      await notes.drop('redis-removed', `${websiteId}`)
    }),
  async inspect({ input: { websiteId }, task, actionId }) {
    const there = (await read(dropIn(websiteId))) !== undefined
    if (task === 'run') return there || (await service(unitOf(websiteId)).state()) === 'active' ? 'no' : 'yes'
    return (await notes.find('redis-removed', `${websiteId}`))?.by === actionId ? 'no' : 'yes'
  },
}

/** Writes the settings and pings the instance. On failure, restores the last working settings. */
async function set({ say, fence }: Voice, websiteId: number, text: string): Promise<void> {
  const file = dropIn(websiteId)
  const good = await read(file)
  const unit = service(unitOf(websiteId))
  await ensureDirectory(dirname(file))
  fence()
  await replace(file, text)
  try {
    await reloadUnits()
    if (stateIn(text) === 'suspended') {
      await stop(websiteId)
      return say(`the Redis of website ${websiteId} is stopped`)
    }
    await unit.enable()
    fence()
    await unit.restart()
    const { maxBytes } = await askRedis(websiteId, usernameIn(text))
    say(`the Redis of website ${websiteId} answers, with ${maxBytes / 1_048_576} MB`)
  } catch (error) {
    if (good === undefined) await takeAway({ fence }, websiteId)
    else {
      await replace(file, good)
      await reloadUnits()
      if (stateIn(good) === 'active') await unit.restart()
    }
    say('restored the last working settings')
    throw error
  }
}

async function takeAway({ fence }: Pick<Voice, 'fence'>, websiteId: number): Promise<void> {
  fence()
  if (!hasSystemd()) return // without systemd, no Redis can exist
  await stop(websiteId)
  await run(['systemctl', 'reset-failed', `${unitOf(websiteId)}.service`]) // fails if the unit never failed
  if (await remove(dropIn(websiteId))) {
    await rm(dirname(dropIn(websiteId)), { recursive: true })
    await reloadUnits()
  }
}

async function stop(websiteId: number): Promise<void> {
  const ran = await run(['systemctl', 'disable', '--now', '--quiet', `${unitOf(websiteId)}.service`])
  if (ran.code !== 0 && !/does not exist|not loaded/.test(ran.stderr)) throw new Error(ran.stderr.trim())
}

async function isAsSaid(websiteId: number, text: string): Promise<boolean> {
  const state = await service(unitOf(websiteId)).state()
  if (stateIn(text) === 'suspended') return state !== 'active'
  if (state !== 'active' && state !== 'activating') return false // it does not start, so do not wait
  return askRedis(websiteId, usernameIn(text)).then(
    () => true,
    () => false, // no answer
  )
}

/** Disables Debian's own Redis, which all accounts could reach on a port. */
async function silenceDebians({ say }: Voice): Promise<void> {
  const state = await run(['systemctl', 'is-enabled', 'redis-server.service'])
  if (state.stdout.trim() === 'masked') return
  await must(['systemctl', 'mask', '--now', '--quiet', 'redis-server.service'])
  say("Debian's own Redis, which all accounts could reach, is off")
}

/** Reloads a running PHP if the Redis extension was installed after PHP started. */
async function tellPhp(pool: { username: string; phpVersion: string }): Promise<void> {
  const master = service(masterOf(pool))
  if ((await master.settled()) === 'active') await master.reload()
}
