import { errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { backupsApi } from '../api.ts'

/** Downloads a file or folder of a backup by a ticket: the browser streams it to disk, not into memory. */
export async function download(id: number, path: string): Promise<void> {
  try {
    const { ticket } = await backupsApi.downloadTicket({ id, path })
    const link = document.createElement('a')
    link.href = `/api/backups/backups/${id}/download?${new URLSearchParams({ path, ticket })}`
    link.download = ''
    link.click()
  } catch (error) {
    void errorDialog(error)
  }
}
