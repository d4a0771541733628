import { filesApi } from './api.ts'

/** Where uploads go. */
export interface Target {
  folderId?: number
  isPrivate: boolean
}
export interface Begun {
  id: number
  /** Bytes that are safe: go on from there. */
  offset: number
}

/** Uploads of this page that are under way or done: none of them is anybody else's to go on with. */
const taken = new Set<number>()
export const letGo = (id: number): boolean => taken.delete(id)

/** Begins an upload; the same file chosen again after a reload or a failure goes on where it stopped. */
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

/** By upload: of which file it is and where that was meant to go. Name and length alone may be another file's by now. */
const KEY = 'innkeeper.uploads'
const markOf = ({ lastModified }: File, { folderId, isPrivate }: Target) =>
  [lastModified, folderId ?? 'top', isPrivate ? 'private' : 'public'].join(' ')

function readMarks(): Partial<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {} // somebody wrote there: every upload begins anew
  }
}
