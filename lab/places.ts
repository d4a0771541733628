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

/** Limits of each practice server: undefined is as much as this machine gives. */
export type Limits = { cores: number | undefined; diskMb: number | undefined }

/** `INNKEEPER_LAB_CORES`: processors, such as 0.2. `INNKEEPER_LAB_DISK`: MB a second that a disk reads, and writes, such as 1. */
export function limitsOfHosts(): Limits {
  return { cores: numberIn('INNKEEPER_LAB_CORES', 0.05), diskMb: numberIn('INNKEEPER_LAB_DISK', 0.1) }
}

function numberIn(name: string, least: number): number | undefined {
  const value = process.env[name]
  if (!value) return undefined
  if (!(Number(value) >= least)) throw new Error(`${name} is a number from ${least}, not “${value}”`)
  return Number(value)
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
