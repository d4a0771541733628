import { existsSync } from 'node:fs'
import { readdir, readFile, rmdir } from 'node:fs/promises'
import { absent, ensureDirectory, hasSystemd, read, reloadUnits, remove, replace, run } from '../../kit/host.ts'
import { availableFolder, availableNames, usualFiles, usualFolder } from './phpExtensions.ts'
import { instanceOf, masterOf, type PoolKey, poolFolder } from './phpPoolFile.ts'

interface Choice {
  on: string[]
  off: string[]
}

/** The choice that a pool file states. */
function choiceOf(text: string): Choice | undefined {
  const words = text
    .match(/^; extensions:((?: [+-][a-z0-9_]+)+)$/m)?.[1]
    ?.trim()
    .split(' ')
  if (!words) return undefined
  const marked = (mark: string) => words.filter((word) => word.startsWith(mark)).map((word) => word.slice(1))
  return { on: marked('+'), off: marked('-') }
}

const folderOf = (pool: PoolKey) => `${poolFolder(pool.phpVersion)}/${instanceOf(pool)}.d`
/** What systemd adds to the unit of this pool alone. */
const dropInFolder = (pool: PoolKey) => `/etc/systemd/system/${masterOf(pool)}.service.d`

const dropIn = (pool: PoolKey) => `${dropInFolder(pool)}/extensions.conf`
/** Exists from the first step of a changed choice until the master has restarted, even across a crash. */
const restartMark = (pool: PoolKey) => `${poolFolder(pool.phpVersion)}/${instanceOf(pool)}.restart`

const loaderOf = (pool: PoolKey) => `${folderOf(pool)}/extensions.ini`

/**
 * Writes what a pool loads instead of the usual files: their contents without the extensions that are off, and with
 * those that are on, in one file. Answers whether the master must start anew, because a reload keeps its environment.
 * Without a choice, the pool loads the usual files again.
 */
export async function setExtensions(pool: PoolKey, poolFileText: string): Promise<boolean> {
  const choice = choiceOf(poolFileText)
  if (choice && !hasSystemd())
    throw new Error(
      'PHP extensions by choice need systemd: without systemd, all websites of a PHP version share one PHP-FPM',
    )
  if (choice) {
    const text = await loader(pool.phpVersion, choice)
    if (!existsSync(dropIn(pool))) await replace(restartMark(pool), '')
    await ensureDirectory(folderOf(pool))
    await replace(loaderOf(pool), text)
    await ensureDirectory(dropInFolder(pool))
    await replace(dropIn(pool), `# Written by Innkeeper\n[Service]\nEnvironment=${environment(pool)}\n`)
  } else if (existsSync(dropIn(pool))) {
    await replace(restartMark(pool), '')
    await remove(loaderOf(pool))
    await remove(dropIn(pool))
    for (const folder of [dropInFolder(pool), folderOf(pool)])
      if ((await readdir(folder).catch(absent))?.length === 0) await rmdir(folder)
  }
  const starts = existsSync(restartMark(pool))
  if (starts) await reloadUnits()
  return starts
}

const environment = (pool: PoolKey) => `PHP_INI_SCAN_DIR=${folderOf(pool)}`

/** Removes the mark once the master has restarted with the changed choice. */
export const extensionsLoaded = (pool: PoolKey): Promise<boolean> => remove(restartMark(pool))

async function loader(version: string, { on, off }: Choice): Promise<string> {
  const usual = await usualFiles(version)
  const available = await availableNames(version)
  const lacking = on.filter((name) => !available.includes(name))
  if (lacking.length) throw new Error(`PHP ${version} on this server has no extension ${lacking.join(', ')}`)
  const files = [...usual].filter(([, name]) => !off.includes(name)).map(([file]) => `${usualFolder(version)}/${file}`)
  const more = on
    .filter((name) => !off.includes(name) && ![...usual.values()].includes(name))
    .map((name) => `${availableFolder(version)}/${name}.ini`)
  const texts: string[] = []
  for (const file of [...files, ...more]) texts.push(`; ${file}\n${(await readFile(file, 'utf8')).trim()}\n`)
  return `; Written by Innkeeper. Changes are overwritten.\n${texts.join('')}`
}

/** Throws if PHP cannot load the choice of a pool: an extension may need another one that is off. */
export async function checkExtensions(pool: PoolKey): Promise<void> {
  const choice = choiceOf((await read(`${poolFolder(pool.phpVersion)}/${instanceOf(pool)}.conf`)) ?? '')
  if (!choice) return
  const ran = await run(['env', ...environmentOf(pool), `/usr/sbin/php-fpm${pool.phpVersion}`, '-m'])
  const [refused] =
    `${ran.stdout}\n${ran.stderr}`.match(/(?:Unable to load dynamic library|Cannot load|undefined symbol)[^\n]*/) ?? []
  if (ran.code !== 0 || refused)
    throw new Error(
      `PHP ${pool.phpVersion} cannot load this choice of extensions: ${(refused ?? ran.stderr).trim().slice(0, 500)}`,
    )
}

/** The variables of programs that must see what the pool loads, as `env` takes them. */
export const environmentOf = (pool: PoolKey): string[] => (existsSync(dropIn(pool)) ? [environment(pool)] : [])
