import type { Folder, StoredFile } from '@innkeeper/contract/desk/files'
import { TRASH_DAYS } from '@innkeeper/contract/desk/files'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { ApiError } from '../../kit/api/client.ts'
import { confirm, confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { counted } from '../../kit/look/format.ts'
import { filesApi } from './api.ts'

const domains = ['files'] as const
const some = (files: readonly StoredFile[]) =>
  files.length === 1 ? (files[0]?.name ?? '') : counted(files.length, ['file', 'files'])
const idsOf = (files: readonly StoredFile[]) => files.map(({ id }) => id)

/** Address with a ticket that the browser can open directly: valid once, within a minute, for one person. */
export async function addressOf(path: string, inline: boolean): Promise<string> {
  const address = `/api/internal-file-manager/private/${path}`
  const { ticket } = await filesApi.ticket({ path: address })
  return `${address}?${new URLSearchParams({ ticket, ...(inline && { inline: 'true' }) })}`
}

export async function download({ path, name }: StoredFile): Promise<void> {
  const address = await attempt(() => addressOf(path, false), [])
  if (!address) return
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

export async function removeFiles(files: readonly StoredFile[]): Promise<boolean> {
  const done = await succeeds(() => filesApi.remove({ ids: idsOf(files).map(String) }), domains)
  if (done)
    toast.success(`${some(files)} moved to the trash`, `Under Trash it can be restored for ${TRASH_DAYS} days.`, {
      undo: () => restoreFiles(files),
    })
  return done === true
}

export async function restoreFiles(files: readonly StoredFile[]): Promise<boolean> {
  const done = await succeeds(() => filesApi.restore({ ids: idsOf(files) }), domains)
  if (done)
    toast.success(`${some(files)} ${files.length === 1 ? 'is' : 'are'} restored`, 'In the same folder as before.')
  return done === true
}

export async function purgeFiles(files: readonly StoredFile[]): Promise<boolean> {
  const sure = await confirm({
    title: `Delete ${some(files)} for good?`,
    text: 'This cannot be undone. Its download log is deleted too; the action log stays.',
    verb: 'Delete for good',
    danger: true,
  })
  if (!sure) return false
  const done = await succeeds(() => filesApi.purge({ ids: idsOf(files).map(String) }), domains)
  if (done) toast.success(`${some(files)} deleted for good`)
  return done === true
}

/**
 * Runs a change that may publish files. The server counts them; the person confirms the number, or nothing happens and the
 * answer is undefined.
 */
export async function publishing<T>(change: (publishes?: number) => Promise<T>): Promise<T | undefined> {
  try {
    return await change()
  } catch (error) {
    const n = publishedBy(error)
    if (n === undefined) throw error
    return (await confirmPublic(n)) ? change(n) : undefined
  }
}

export const confirmPublic = async (n: number): Promise<boolean> =>
  (await confirm({
    title: `Make ${counted(n, ['file', 'files'])} public?`,
    text: 'Everybody with the address can then read without signing in.',
    verb: n === 1 ? 'Make it public' : `Make ${n} files public`,
    danger: true,
  })) !== undefined

/** The number of files in a 409 that asks for it. */
function publishedBy(error: unknown): number | undefined {
  const current = error instanceof ApiError && error.status === 409 ? error.body.current : undefined
  if (typeof current !== 'object' || current === null || !('publishes' in current)) return undefined
  return typeof current.publishes === 'number' && current.publishes > 0 ? current.publishes : undefined
}

export async function hideFile({ id, name, version, isPrivate }: StoredFile): Promise<void> {
  if (isPrivate) {
    const sure = await confirm({
      title: `Show ${name} to everybody?`,
      text: 'Everybody with its address can then read it without signing in.',
      verb: 'Make public',
    })
    if (!sure) return
  }
  const done = await attempt(() => filesApi.update({ id, version, isPrivate: !isPrivate }), domains)
  if (done) toast.success(done.hidden ? `${name} is private` : `${name} is public`)
}

export async function hideFolder({ id, name, version, private: hidden }: Folder): Promise<void> {
  const sure =
    hidden ||
    (await confirm({
      title: `Make ${name} private?`,
      text: 'Its content is readable by its owner, you, administrators, and people it is shared with.',
      verb: 'Make private',
    }))
  if (!sure) return
  await attempt(
    () => publishing((publishes) => filesApi.updateFolder({ id, version, private: !hidden, publishes })),
    domains,
  )
}

/** Puts a folder back where it was. */
const restoreFolder = (id: number) => attempt(() => filesApi.restoreFolder({ id }), domains)

export async function removeFolder({ id, name }: Folder): Promise<boolean> {
  const sure = await confirmByName({
    title: `Delete ${name}?`,
    name,
    verb: 'Delete folder',
    goes: ['The folder, its folders and all files in them'],
    stays: `Files can be found under Trash for ${TRASH_DAYS} days.`,
  })
  if (!sure) return false
  const done = await succeeds(() => filesApi.removeFolder({ id }), domains)
  if (!done) return false
  toast.success(`${name} is in the trash`, undefined, { undo: () => restoreFolder(id) })
  return true
}
