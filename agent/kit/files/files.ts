import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { exclusive } from '../programs/exclusive.ts'
import { noteRemoval, noteWrite } from './ledger.ts'

/*
 * Configuration files in folders that only root can write. For paths below /home, use `openFolder` or run as the
 * account: the owner of a home folder may replace a folder with a symlink at any moment.
 */

export interface Owner {
  uid: number
  gid: number
}
const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

/** The file's text; undefined if there is no file. Refuses symlinks. */
export async function read(file: string): Promise<string | undefined> {
  const handle = await open(file, O_RDONLY | O_NOFOLLOW).catch(absent)
  try {
    return await handle?.readFile('utf8')
  } finally {
    await handle?.close()
  }
}

interface How {
  mode?: number
  owner?: Owner
}
/**
 * Where a file is written before it takes its place. A fixed name: the next write removes what a killed process left. Programs that
 * read all files of a folder, as nginx reads `sites-enabled`, take none whose name begins with a dot.
 */
export const asideOf = (file: string) => `${dirname(file)}/.${basename(file)}.new`

/**
 * Replaces a file atomically: writes a temporary file, fsyncs, renames, and fsyncs the folder. Readers see the old or
 * the new file, even after a power cut. Returns false when the file is unchanged. Writes of one file follow each other.
 */
export const replace = (file: string, content: string | Uint8Array, how: How = {}): Promise<boolean> =>
  exclusive(`the file ${file}`, () => replaceAlone(file, content, how))

async function replaceAlone(
  file: string,
  content: string | Uint8Array,
  { mode = 0o644, owner }: How,
): Promise<boolean> {
  const before = await lstat(file).catch(absent)
  if (before && !before.isFile()) throw new Error(`${file} is not an ordinary file`)
  const fits =
    before && (before.mode & 0o7777) === mode && (!owner || (before.uid === owner.uid && before.gid === owner.gid))
  if (fits && (await hasContent(file, content))) return false
  const aside = asideOf(file)
  await rm(aside, { force: true })
  const handle = await open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    await handle.writeFile(content)
    await handle.chmod(mode) // the umask may have removed bits
    if (owner) await handle.chown(owner.uid, owner.gid)
    await handle.sync()
    noteWrite(file, content)
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

const hasContent = async (file: string, content: string | Uint8Array) =>
  typeof content === 'string' ? (await read(file)) === content : (await readFile(file)).equals(content)

/** Appends to an existing file after `size` bytes, and fsyncs. Drops any bytes that a power cut left beyond `size`. */
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

/** Removes a file. Idempotent: returns false when the file does not exist. */
export async function remove(file: string): Promise<boolean> {
  const before = await lstat(file).catch(absent)
  if (!before) return false
  if (before.isDirectory()) throw new Error(`${file} is a folder`)
  noteRemoval(file)
  await rm(file)
  await syncFolder(dirname(file))
  return true
}

/** Creates the folder with this mode and owner, or corrects both. Missing parents belong to root. */
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
 * Opens a folder component by component and refuses symlinks; undefined when the folder does not exist. Use
 * `inside(handle, name)` for paths: nobody can swap an open folder. The caller closes the handle.
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

/** The path of a name in an open folder, through the file descriptor. Child processes can use the path too. */
export const inside = (folder: FileHandle, name: string) => `/proc/${process.pid}/fd/${folder.fd}/${basename(name)}`

/** Puts a complete file in the place of another: fsyncs and renames it, and fsyncs the folder. */
export async function putInPlace(aside: string, file: string): Promise<void> {
  const handle = await open(aside)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(aside, file)
  await syncFolder(dirname(file))
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, O_RDONLY | O_DIRECTORY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** For `.catch`: returns undefined when the file does not exist, and rethrows every other error. */
export function absent(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}
