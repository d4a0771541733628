import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { TreeEntry } from '@innkeeper/contract/recovery/backups/shapes'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { accessTo, localOf } from '../repositories/access.ts'
import { storedBackup } from '../runs/view.ts'
import { downloadOf } from './download.ts'
import { versionsOf } from './versions.ts'

type Calls = Handlers<typeof contract>
/** Maximum number of entries in the answer of a folder, and of a search. */
const [SHOWN, FOUND] = [5000, 500]
const Listed = z.object({ items: z.array(TreeEntry), next: z.int().optional() })
const Found = z.object({ items: z.array(TreeEntry), more: z.boolean().default(false) })

/**
 * The repository and files snapshot of a backup. The backup server reads it, because the website's machine may be gone.
 */
async function filesOf(app: App, id: number, copy?: boolean) {
  const backup = await storedBackup(app.db, id, copy)
  const snapshot = backup.parts.find(({ resource }) => resource === 'website')?.snapshot
  if (!snapshot) throw refused('This backup has no files')
  const access = await accessTo(app.db, backup.repositoryId)
  return { backup, snapshot, access, on: access.backupServer.serverId }
}

export const treeHandlers = {
  async tree({ id, path = '/', copy }, { app }) {
    const { snapshot, access, on } = await filesOf(app, id, copy)
    const items: TreeEntry[] = []
    for (let from: number | undefined = 0; from !== undefined && items.length <= SHOWN; ) {
      const input = { ...localOf(access), snapshot, path, ...(from && { from }) }
      const answer = Listed.parse(await liveRead(app, on, 'backup-tree.list', input))
      items.push(...answer.items)
      from = answer.next
    }
    return { items: items.slice(0, SHOWN), more: items.length > SHOWN }
  },

  async find({ id, text, copy }, { app }) {
    const { snapshot, access, on } = await filesOf(app, id, copy)
    const input = { ...localOf(access), snapshot, text }
    const { items, more } = Found.parse(await liveRead(app, on, 'backup-tree.find', input))
    return { items: items.slice(0, FOUND), more: more || items.length > FOUND }
  },

  async versions({ id, path }, { app }) {
    const { backup, access } = await filesOf(app, id)
    return versionsOf(app, backup, access, path)
  },

  async download({ id, path, archive, copy }, { app, staff }) {
    const { backup, snapshot, access } = await filesOf(app, id, copy)
    return downloadOf(app, { backup, snapshot, access, path, archive }, staff.name)
  },

  async downloadTicket({ id, path }, { app, db, staff, audit }) {
    const backup = await storedBackup(db, id)
    audit.of('backup', id)
    audit.after({ domain: backup.domain, path })
    return app.tickets.issue(
      { path: `/api/backups/backups/${id}/download`, query: { path }, isRecorded: true },
      staff.sessionKey,
    )
  },
} satisfies Partial<Calls>
