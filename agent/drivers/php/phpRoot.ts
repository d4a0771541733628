import { readdir, readFile } from 'node:fs/promises'
import { absent, places } from '../../kit/host.ts'

const folder = `${places.home}/php`
/** The root folder of a PHP version that this machine's Debian lacks. */
export const rootOf = (version: string) => `${folder}/${version}`

/** PHP packages in root folders of their own, with their versions, such as `php8.4-fpm`. */
export async function rootedPackages(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const version of (await readdir(folder).catch(absent)) ?? []) {
    if (!/^\d\.\d+$/.test(version)) continue
    const status = (await readFile(`${rootOf(version)}/var/lib/dpkg/status`, 'utf8').catch(absent)) ?? ''
    const name = `php${version}-fpm`
    const entry = status.split('\n\n').find((one) => one.startsWith(`Package: ${name}\n`))
    const installed = entry?.match(/^Version: (\S+)$/m)?.[1]
    if (installed) found.set(name, installed)
  }
  return found
}
