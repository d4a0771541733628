import { existsSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

const manifest = findPackageJSON(import.meta.url)
if (!manifest) throw new Error('server/package.json is missing')
/** Folder of the server's sources, for the bundle in `server/dist` too. */
export const serverFolder = dirname(manifest)

/** Version of this program. */
export const programVersion: string = JSON.parse(readFileSync(manifest, 'utf8')).version

/** Whether this program runs from a checkout, not from an installed package. */
export const isCheckout: boolean = existsSync(join(dirname(serverFolder), 'bin/task'))

/** A command for operators, as they type it: `npm run backup -- FILE`, or `innkeeper backup FILE` of the package. */
export function commandLine(task: string, words = ''): string {
  return isCheckout ? `npm run ${task}${words && ` -- ${words}`}` : `innkeeper ${task}${words && ` ${words}`}`
}
