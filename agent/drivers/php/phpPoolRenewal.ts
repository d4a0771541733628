import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Context, Driver } from '../../kit/driver.ts'
import { absent, exclusive, read, replace, service } from '../../kit/host.ts'
import { anew, instanceOf, masterOf, type PoolKey, poolFile, poolFolder } from './phpPoolFile.ts'
import { answersAs, type Voice } from './setPool.ts'

/**
 * Restarts the workers of an account's pools after its files were moved here. The opcode cache compares its compiled files
 * with the disk every 2 seconds, or once an hour if the website sets it so. Data that an application keeps in APCu is
 * never compared. Running requests complete.
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
