import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, rm, statfs } from 'node:fs/promises'
import { absent } from './files.ts'
import { places } from './places.ts'

/** An undo writes little: notes, a folder of the trash, and copies of the lists of accounts. */
const BYTES = 1_048_576
/** A disk with less room keeps what it has. */
const LEAST = 64 * BYTES
const file = `${places.state}/reserve`

/** Creates the file whose removal makes room for an undo on a full disk, if there is plenty of room now. */
export async function keepReserve(): Promise<void> {
  if ((await lstat(file).catch(absent))?.size === BYTES) return
  await mkdir(places.state, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(places.state)
  if (bavail * bsize < LEAST) return
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(randomBytes(BYTES)) // a file system may keep zeros without taking room
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Gives the room away; false if it was given away before. */
export async function spendReserve(): Promise<boolean> {
  if (!(await lstat(file).catch(absent))) return false
  await rm(file, { force: true })
  return true
}
