import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, rmdir } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ExtensionHere } from '@innkeeper/contract/phpExtensions'
import type { Driver } from '../../kit/driver.ts'
import { absent, ensureDirectory, hasSystemd, read, remove, replace, run } from '../../kit/host.ts'
import { instanceOf, type PoolKey, poolFolder } from './phpPoolFile.ts'

const usualFolder = (version: string) => `/etc/php/${version}/fpm/conf.d`
const availableFolder = (version: string) => `/etc/php/${version}/mods-available`

export const listPhpExtensions: Driver<'php-extensions.list'> = {
  run: async ({ input: { phpVersion } }) => ({ extensions: await extensionsOf(phpVersion) }),
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** Extensions with a file in `mods-available`, as Debian's phpenmod sees them. */
export async function extensionsOf(version: string): Promise<ExtensionHere[]> {
  const usual = new Set([...(await usualFiles(version)).values()])
  return (await availableNames(version)).map((name) => ({ name, usual: usual.has(name) }))
}

const availableNames = async (version: string): Promise<string[]> =>
  ((await readdir(availableFolder(version)).catch(absent)) ?? [])
    .flatMap((file) => file.match(/^([a-z0-9_]+)\.ini$/)?.[1] ?? [])
    .sort()

/** Files that every website loads, `20-curl.ini`, with their extensions. */
async function usualFiles(version: string): Promise<Map<string, string>> {
  const folder = usualFolder(version)
  const found = new Map<string, string>()
  for (const file of ((await readdir(folder).catch(absent)) ?? []).sort()) {
    const target = await readlink(`${folder}/${file}`).catch(() => file) // a file of the administrator is no link
    if (file.endsWith('.ini')) found.set(file, basename(target, '.ini'))
  }
  return found
}

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
const environmentFile = (pool: PoolKey) => `${poolFolder(pool.phpVersion)}/${instanceOf(pool)}.env`
const loaderOf = (pool: PoolKey) => `${folderOf(pool)}/extensions.ini`

/**
 * Writes what a pool loads instead of the usual files: their contents without the extensions that are off, and with
 * those that are on, in one file. Answers whether the master must start anew, because a reload keeps its environment.
 * Without a choice, the pool loads the usual files again.
 */
export async function setExtensions(pool: PoolKey, text: string): Promise<boolean> {
  const choice = choiceOf(text)
  const had = existsSync(environmentFile(pool))
  if (!choice) {
    await remove(environmentFile(pool))
    await remove(loaderOf(pool))
    await rmdir(folderOf(pool)).catch(absent)
    return had
  }
  if (!hasSystemd()) throw new Error('Extensions by choice need systemd: without it, all websites share one PHP')
  await ensureDirectory(folderOf(pool))
  await replace(loaderOf(pool), await loader(pool.phpVersion, choice))
  await replace(environmentFile(pool), `PHP_INI_SCAN_DIR=${folderOf(pool)}\n`)
  return !had
}

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
  return `; Written by Innkeeper; what is changed here is written over.\n${texts.join('')}`
}

/** Throws if PHP cannot load the choice of a pool: an extension may need another one that is off. */
export async function checkExtensions(pool: PoolKey): Promise<void> {
  const choice = choiceOf((await read(`${poolFolder(pool.phpVersion)}/${instanceOf(pool)}.conf`)) ?? '')
  if (!choice) return
  const ran = await run([...environmentOf(pool), `/usr/sbin/php-fpm${pool.phpVersion}`, '-m'])
  const [refused] =
    `${ran.stdout}\n${ran.stderr}`.match(/(?:Unable to load dynamic library|Cannot load|undefined symbol)[^\n]*/) ?? []
  if (ran.code !== 0 || refused)
    throw new Error(
      `PHP ${pool.phpVersion} cannot load this choice of extensions: ${(refused ?? ran.stderr).trim().slice(0, 500)}`,
    )
}

/** How programs are started that must see what the pool loads. */
export const environmentOf = (pool: PoolKey): string[] =>
  existsSync(environmentFile(pool)) ? ['env', `PHP_INI_SCAN_DIR=${folderOf(pool)}`] : []
