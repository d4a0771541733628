import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { Present } from '@innkeeper/contract/recovery/backups/shapes'
import { inArray, sql } from 'drizzle-orm'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { nameLike } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { given, pairOf } from '../list.ts'
import { storedBackup } from '../runs/view.ts'
import { backupRestores } from '../tables.ts'
import { previewOf } from './preview.ts'
import { startRestore } from './start.ts'
import { receivingPlace, targetOf } from './target.ts'
import { readItems, readRestore, readRestoresInOrder } from './view.ts'

type Calls = Handlers<typeof contract>

export const restoresHandlers = {
  async restore(wanted, context) {
    const { id, workflowId } = await startRestore(context, wanted)
    const data = await readRestore(context.db, id)
    context.audit.of('restore', id)
    context.audit.workflow(workflowId)
    context.audit.after(data)
    return { data, workflowId }
  },

  restorePreview: ({ id, websiteId }, { db }) => previewOf(db, id, websiteId),

  async restorePresent({ id, websiteId, paths }, { app }) {
    const { configuration, websiteId: own } = await storedBackup(app.db, id)
    const { site } = await targetOf(app.db, websiteId ?? own)
    const input = { ...receivingPlace(site, configuration), ...(paths?.length && { paths }) }
    return Present.parse(await liveRead(app, site.server.id, 'restore-files.look', input))
  },

  restores: (input, { db }) =>
    pairOf(
      db,
      input,
      {
        from: sql`${backupRestores}`,
        where: given(
          input.search !== undefined && nameLike(backupRestores.domain, input.search),
          input.websiteId && inArray(backupRestores.websiteId, input.websiteId),
          input.result && inArray(backupRestores.result, input.result),
        ),
        key: backupRestores.id,
        order: { column: backupRestores.createdAt, type: 'instant', direction: 'DESC' },
      },
      readRestoresInOrder,
    ),
  oneRestore: ({ id }, { db }) => readRestore(db, id),
  restoredWebsites: ({ id }, { db }) => readItems(db, id, 'website'),
  restoredDatabases: ({ id }, { db }) => readItems(db, id, 'mysql'),
  restoredMail: ({ id }, { db }) => readItems(db, id, 'mail'),
  restoredServers: ({ id }, { db }) => readItems(db, id, 'server'),
} satisfies Partial<Calls>
