import { readdir, stat } from 'node:fs/promises'
import { absent, ensureDirectory, remove } from './files.ts'
import { places } from './places.ts'

/** Days until a file that nobody fetched is deleted. */
const SPOOL_DAYS = 30

/** The path of a spool file, readable by root only. The contract's allow-list has checked the name. */
export async function spooled(name: string): Promise<string> {
  await ensureDirectory(places.spool, { mode: 0o700 })
  return `${places.spool}/${name}`
}

/** Deletes spool files past their time. Answers how many. */
export async function emptySpool(now = new Date()): Promise<number> {
  const end = now.getTime() - SPOOL_DAYS * 86_400_000
  let gone = 0
  for (const name of (await readdir(places.spool).catch(absent)) ?? []) {
    const file = `${places.spool}/${name}`
    const seen = await stat(file).catch(absent)
    if (seen?.isFile() && seen.mtimeMs < end && (await remove(file))) gone++
  }
  return gone
}
