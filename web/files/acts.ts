import type { Folder, StoredFile } from '@innkeeper/contract/files'
import { TRASH_DAYS } from '@innkeeper/contract/files'
import { attempt, succeeds } from '../kit/api/attempt.ts'
import { confirm, confirmByName } from '../kit/dialogs/dialogs.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { counted } from '../kit/look/format.ts'
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
  if (done) toast.success(`${some(files)} moved to the trash`, `Under Trash it can be restored for ${TRASH_DAYS} days.`)
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
  const sure = await confirm({
    title: hidden ? `Show ${name} to everybody?` : `Make ${name} private?`,
    text: hidden
      ? 'Its content can be read without signing in, except private files.'
      : 'Its content is readable by its owner, you, administrators, and people it is shared with.',
    verb: hidden ? 'Make public' : 'Make private',
  })
  if (sure) await attempt(() => filesApi.updateFolder({ id, version, private: !hidden }), domains)
}

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
  toast.success(`${name} is in the trash`)
  return true
}
