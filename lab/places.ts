import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))

/** Where practice servers live unless told otherwise: `INNKEEPER_DATA`/lab. */
export function defaultDir(): string {
  return join(process.env.INNKEEPER_DATA || join(repository, 'data'), 'lab')
}

/** Where images live; every lab of a clone shares them. */
export function imagesDir(): string {
  return process.env.INNKEEPER_LAB_IMAGE || join(defaultDir(), 'image')
}

/** Makes the folder and returns its one true path, so that two names of it are one lab. */
export function settle(dir: string): string {
  mkdirSync(dir, { recursive: true })
  return realpathSync(dir)
}

/** A short name that this folder alone has on this machine; cgroups and link addresses carry it. */
export function idOf(dir: string): string {
  return createHash('sha256').update(dir).digest('hex').slice(0, 8)
}
