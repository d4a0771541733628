import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Context } from '../../kit/driver.ts'
import { absent, fastcgiGet, hasSystemd, must, read, remove, replace, run, service, until } from '../../kit/host.ts'
import { sitesOf } from '../webServer/webPaths.ts'
import { webServerHere } from '../webServer/webServers.ts'
import { checkExtensions, environmentOf, extensionsLoaded, setExtensions } from './phpPoolExtensions.ts'
import { instanceOf, masterOf, type PoolKey, pingPath, poolFile, printOf, socketOf } from './phpPoolFile.ts'

export type Voice = Pick<Context<'php-pool.ensure'>, 'say' | 'fence'>

/**
 * Writes the pool file, lets php-fpm check it, reloads and pings the pool. On failure, restores the last working file.
 */
export async function set({ say, fence }: Voice, pool: PoolKey, text: string): Promise<void> {
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
    await master.enable({ known: true })
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
export async function stop({ fence }: Pick<Voice, 'fence'>, pool: PoolKey): Promise<void> {
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
export const answersAs = (pool: PoolKey, text: string): Promise<void> =>
  until({
    what: `the pool of ${instanceOf(pool)} answers`,
    unit: masterOf(pool),
    async look() {
      if (await runs(pool, text)) return
      throw new Error(`the pool of ${instanceOf(pool)} was loaded but does not answer on ${socketOf(pool)}`)
    },
  })
export async function runs(pool: PoolKey, text: string): Promise<boolean> {
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
export async function askersOf(pool: PoolKey): Promise<string[]> {
  const folder = sitesOf(webServerHere())
  const files = (await readdir(folder).catch(absent)) ?? []
  const socket = socketOf(pool)
  const found: string[] = []
  for (const name of files.filter((file) => file.endsWith('.conf')))
    if ((await read(`${folder}/${name}`))?.split(/[;|\s]/).some((word) => word.endsWith(`unix:${socket}`)))
      found.push(name.slice(0, -5))
  return found
}
