import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))

/** Default folder of practice servers: `INNKEEPER_DATA`/lab. */
export function defaultDir(): string {
  return join(process.env.INNKEEPER_DATA || join(repository, 'data'), 'lab')
}

/** Folder of images, shared by all labs of a clone. */
export function imagesDir(): string {
  return process.env.INNKEEPER_LAB_IMAGE || join(defaultDir(), 'image')
}

/** How many processors a practice server has: `INNKEEPER_LAB_CORES`, such as 0.2; undefined: as many as this machine. */
export function coresOfHosts(): number | undefined {
  const cores = process.env.INNKEEPER_LAB_CORES
  if (!cores) return undefined
  if (!(Number(cores) >= 0.05))
    throw new Error(`INNKEEPER_LAB_CORES is a number of processors from 0.05, not “${cores}”`)
  return Number(cores)
}

/** Creates the folder and answers its real path, so that two names of a folder are one lab. */
export function settle(dir: string): string {
  mkdirSync(dir, { recursive: true })
  return realpathSync(dir)
}

/** A short name, unique for this folder on this machine, for cgroups and link addresses. */
export function idOf(dir: string): string {
  return createHash('sha256').update(dir).digest('hex').slice(0, 8)
}
