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
  const mark = markOf(file, target)
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

/** Storage key of the resumable uploads with their file and target. Name and size alone could match another file. */
const KEY = 'innkeeper.uploads'
const markOf = ({ lastModified }: File, { folderId, isPrivate }: Target) =>
  [lastModified, folderId ?? 'top', isPrivate ? 'private' : 'public'].join(' ')

function readMarks(): Partial<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {} // invalid storage: every upload starts from the beginning
  }
}
