import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import manifest from './package.json' with { type: 'json' }

export const version: string = manifest.version

/** SHA-256 of the running bundle, which distinguishes builds of the same version; undefined without a bundle. */
export const build = ((): string | undefined => {
  const file = process.argv[1]
  if (!file?.endsWith('.mjs')) return undefined
  return createHash('sha256').update(readFileSync(file)).digest('hex')
})()
