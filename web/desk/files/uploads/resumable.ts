import { filesApi } from '../api.ts'

/** Target folder of an upload. */
export interface Target {
  folderId?: number
  isPrivate: boolean
}
export interface Begun {
  id: number
  /** Number of bytes that the server has stored; the upload continues there. */
  offset: number
}

/** Uploads of this page, running or finished, which no other upload may resume. */
const taken = new Set<number>()
export const letGo = (id: number): boolean => taken.delete(id)

/** Starts an upload, or resumes one after a reload or failure if the same file is chosen again. */
export async function beginOrResume(file: File, target: Target): Promise<Begun> {
  const left = await filesApi.uploads()
  const marks = readMarks()
  const mark = await markOf(file, target)
  const known = left.find(
    ({ id, name, size, offset }) =>
      !taken.has(id) && offset > 0 && name === file.name && size === file.size && marks[id] === mark,
  )
  const { isPrivate, folderId = '' } = target
  const begun = known ?? (await filesApi.beginUpload({ name: file.name, size: file.size, isPrivate, folderId }))
  taken.add(begun.id)
  const still = left.flatMap(({ id }) => (marks[id] === undefined ? [] : [[id, marks[id]]]))
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...still, [begun.id, mark]])))
  return begun
}

/** Key in the storage of the browser: the mark of each resumable upload (`markOf`) by its id. */
const KEY = 'innkeeper.uploads'
const BLOCK = 4096
const BLOCKS = 256

/**
 * Target and file of an upload. Copies and archives keep times, so name, size and time alone could match another file:
 * the mark contains a hash of blocks from the whole file.
 */
export async function markOf(file: File, { folderId, isPrivate }: Target): Promise<string> {
  const blocks = await Promise.all(
    // evenly from the first bytes of the file to the last
    Array.from({ length: BLOCKS }, (_, n) => {
      const start = Math.floor((n * Math.max(0, file.size - BLOCK)) / (BLOCKS - 1))
      return file.slice(start, start + BLOCK).arrayBuffer()
    }),
  )
  let hash = 0x811c9dc5
  // FNV-1a: crypto.subtle is missing on pages without TLS
  for (const block of blocks) for (const byte of new Uint8Array(block)) hash = Math.imul(hash ^ byte, 0x01000193)
  return [file.lastModified, folderId ?? 'top', isPrivate ? 'private' : 'public', hash >>> 0].join(' ')
}

function readMarks(): Partial<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {} // invalid storage: every upload starts from the beginning
  }
}
