import { copyFile, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { absent, must, putInPlace } from '../../kit/host.ts'

/**
 * Builds the map of a file beside the one in use. postmap empties a map before it writes it: on a full disk, domains would
 * be missing, and Postfix would refuse their mail for good.
 */
export async function postmap(file: string, ...how: string[]): Promise<void> {
  const aside = `${file}.new`
  try {
    await copyFile(file, aside)
    await removeHalf(aside)
    await must(['postmap', ...how, aside])
    await takesEffect(`${aside}.db`, `${file}.db`)
    await putInPlace(`${aside}.db`, `${file}.db`)
  } finally {
    await rm(aside, { force: true })
    await rm(`${aside}.db`, { force: true })
    await removeHalf(aside)
  }
}

/**
 * Removes an unfinished map. postmap and newaliases write a map under another name first. If a full disk or a kill left that
 * file behind, both take it for the work of another process and wait for ever.
 */
export const removeHalf = (file: string): Promise<void> =>
  rm(`${dirname(file)}/__db.${basename(file)}.db`, { force: true })

/** Postfix opens a map again when its time in seconds differs: a second change in one second gets a later time. */
async function takesEffect(next: string, now: string): Promise<void> {
  const before = await stat(now).catch(absent)
  const last = before ? Math.floor(before.mtimeMs / 1000) : 0
  const at = Math.floor((await stat(next)).mtimeMs / 1000)
  if (last >= at) await utimes(next, at, last + 1)
}
