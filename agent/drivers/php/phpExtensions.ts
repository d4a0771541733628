import { readdir, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ExtensionHere } from '@innkeeper/contract/hosting/phpExtensions'
import type { Driver } from '../../kit/driver.ts'
import { absent } from '../../kit/host.ts'

export const usualFolder = (version: string) => `/etc/php/${version}/fpm/conf.d`
export const availableFolder = (version: string) => `/etc/php/${version}/mods-available`

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

export const availableNames = async (version: string): Promise<string[]> =>
  ((await readdir(availableFolder(version)).catch(absent)) ?? [])
    .flatMap((file) => file.match(/^([a-z0-9_]+)\.ini$/)?.[1] ?? [])
    .sort()

/** Files that every website loads, `20-curl.ini`, with their extensions. */
export async function usualFiles(version: string): Promise<Map<string, string>> {
  const folder = usualFolder(version)
  const found = new Map<string, string>()
  for (const file of ((await readdir(folder).catch(absent)) ?? []).sort()) {
    const target = await readlink(`${folder}/${file}`).catch(() => file) // a file of the administrator is no link
    if (file.endsWith('.ini')) found.set(file, basename(target, '.ini'))
  }
  return found
}
