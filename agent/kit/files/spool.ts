import { readdir, stat } from 'node:fs/promises'
import { absent, ensureDirectory, remove } from './files.ts'
import { places } from './places.ts'

/** Days that a file stays there which nobody has taken away. */
const SPOOL_DAYS = 30

/** The path of a file on its way; root's alone. Its name has passed the contract's allow-list. */
export async function spooled(name: string): Promise<string> {
  await ensureDirectory(places.spool, { mode: 0o700 })
  return `${places.spool}/${name}`
}

/** Takes away for good what has lain in the spool folder for its time. Answers how many. */
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
