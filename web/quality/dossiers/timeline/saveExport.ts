import { toast } from '../../../kit/dialogs/toast.ts'
import { counted } from '../../../kit/look/format.ts'
import { timelineApi } from '../api.ts'

/** Saves the data about a person that the caller may read as a file. */
export async function saveExport(id: number): Promise<void> {
  const kept = await timelineApi.export({ id })
  const url = URL.createObjectURL(new Blob([JSON.stringify(kept, null, 2)], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: url, download: `dossier-${id}.json` }).click()
  URL.revokeObjectURL(url)
  const entries = counted(kept.timeline.length, ['entry', 'entries'])
  toast.success(
    `${entries} of ${kept.user.name} saved`,
    `${kept.more ? 'Older entries are left out. ' : ''}What you may not read is not in the file.`,
  )
}
