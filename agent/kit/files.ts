import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

/*
 * Files of the machine's own configuration, in folders that only root can write. What lies below /home is walked with
 * `openFolder` instead, or done as the account itself: its owner may swap a folder for a symlink at any moment.
 */

export interface Owner {
  uid: number
  gid: number
}
const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

/** The file's text, or undefined where there is none. A symlink is refused. */
export async function read(file: string): Promise<string | undefined> {
  const handle = await open(file, O_RDONLY | O_NOFOLLOW).catch(absent)
  try {
    return await handle?.readFile('utf8')
  } finally {
    await handle?.close()
  }
}

/**
 * Puts the content in place at once: written aside, fsynced, renamed, the folder fsynced. Readers see the old or the new
 * file, after a power cut too. Answers false where the file was the same already.
 */
export async function replace(
  file: string,
  content: string,
  how: { mode?: number; owner?: Owner } = {},
): Promise<boolean> {
  const { mode = 0o644, owner } = how
  const before = await lstat(file).catch(absent)
  if (before && !before.isFile()) throw new Error(`${file} is not an ordinary file`)
  const fits =
    before && (before.mode & 0o7777) === mode && (!owner || (before.uid === owner.uid && before.gid === owner.gid))
  if (fits && (await read(file)) === content) return false
  const aside = `${file}.new` // one name: what a kill left there goes with the next write
  await rm(aside, { force: true })
  const handle = await open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    await handle.writeFile(content)
    await handle.chmod(mode) // the umask took its part
    if (owner) await handle.chown(owner.uid, owner.gid)
    await handle.sync()
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(aside, file)
  await syncFolder(dirname(file))
  return true
}

/** Writes on after these bytes of an ordinary file that is there; what a power cut left beyond them goes. Synced. */
export async function append(file: string, size: number, text: string): Promise<void> {
  const handle = await open(file, O_WRONLY | O_APPEND | O_NOFOLLOW)
  try {
    if ((await handle.stat()).size > size) await handle.truncate(size)
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The file is gone; twice is harmless. Answers false where there was none. */
export async function remove(file: string): Promise<boolean> {
  const before = await lstat(file).catch(absent)
  if (!before) return false
  if (before.isDirectory()) throw new Error(`${file} is a folder`)
  await rm(file)
  await syncFolder(dirname(file))
  return true
}

/** The folder exists with this mode and owner; its parents are made as root's. */
export async function ensureDirectory(folder: string, how: { mode?: number; owner?: Owner } = {}): Promise<void> {
  const { mode = 0o755, owner } = how
  await mkdir(folder, { recursive: true, mode })
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    const now = await handle.stat()
    if ((now.mode & 0o7777) !== mode) await handle.chmod(mode)
    if (owner && (now.uid !== owner.uid || now.gid !== owner.gid)) await handle.chown(owner.uid, owner.gid)
  } finally {
    await handle.close()
  }
}

/**
 * Opens a folder component by component and refuses a symlink at each; undefined where there is none. Work on
 * `inside(handle, name)`: nobody can swap what is open. The caller closes it.
 */
export async function openFolder(path: string): Promise<FileHandle | undefined> {
  let handle = await open('/', O_RDONLY | O_DIRECTORY)
  for (const name of path.split('/').filter(Boolean)) {
    const parent = handle
    try {
      handle = await open(inside(parent, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ELOOP')
        throw new Error(`${path}: ${name} is not a folder of its own`)
      throw error
    } finally {
      await parent.close()
    }
  }
  return handle
}

/** The path of a name in an open folder, by way of the open file itself; commands that we start understand it too. */
export const inside = (folder: FileHandle, name: string) => `/proc/${process.pid}/fd/${folder.fd}/${basename(name)}`

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, O_RDONLY | O_DIRECTORY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** For `.catch`: undefined where there is no such file, all else is thrown on. */
export function absent(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}
