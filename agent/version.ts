import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import manifest from './package.json' with { type: 'json' }

export const version: string = manifest.version

/** sha256 of the file that runs, which tells two builds of one version apart; none where it is not one file. */
export const build = ((): string | undefined => {
  const file = process.argv[1]
  if (!file?.endsWith('.mjs')) return undefined
  return createHash('sha256').update(readFileSync(file)).digest('hex')
})()
