import type { ArchiveImport } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { archiveImportsApi } from './api.ts'
import { fileOf, touched } from './words.ts'

/** Why an import cannot be deleted. */
export const whyStays = ({ status }: ArchiveImport): string | undefined =>
  ['looking', 'importing', 'verified', 'failed'].includes(status) ? 'Accept it or roll it back first.' : undefined

/** Deletes an import from the list; what an accepted import has made stays. */
export async function removeImport(one: ArchiveImport): Promise<boolean> {
  const sure = await confirm({
    title: `Delete the import of ${fileOf(one)}?`,
    text:
      one.status === 'done'
        ? 'The plan and the comparison go, and late mail is fetched no more. What was imported stays.'
        : 'An uploaded archive is deleted from the server. An archive that lies on the server stays.',
    verb: 'Delete import',
    danger: true,
  })
  if (!sure) return false
  const done = await attempt(async () => {
    await archiveImportsApi.remove({ id: one.id })
    return true
  }, touched)
  return done === true
}

export async function acceptImport(one: ArchiveImport): Promise<void> {
  const sure = await confirm({
    title: `Accept the import of ${fileOf(one)}?`,
    text: 'Its websites and mail domains become ordinary ones. The import cannot be rolled back afterwards.',
    verb: 'Accept import',
  })
  if (sure && (await attempt(() => archiveImportsApi.accept({ id: one.id }), touched)))
    toast.success('The import is accepted')
}

export async function rollBackImport(one: ArchiveImport): Promise<void> {
  const sure = await confirm({
    title: `Roll back the import of ${fileOf(one)}?`,
    text: 'Everything that it has made goes: websites, databases, mail domains and zones, with all that was written since. The archive stays.',
    verb: 'Roll back import',
    danger: true,
  })
  if (sure && (await attempt(() => archiveImportsApi.rollBack({ id: one.id }), touched)))
    toast.success('The import is being rolled back')
}
