import { files as filesContract } from '@innkeeper/contract/desk/files'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { openStorage } from '../../kit/storage/open.ts'
import { filesHandlers } from './handlers.ts'
import { ownedFiles } from './holdings.ts'
import { seedFiles } from './seed.ts'
import * as tables from './tables.ts'
import { emptyTrash } from './trash.ts'

export const files: Domain = {
  calls: [calls('files', filesContract, filesHandlers)],
  tables,
  readScopes: { files: ['file-manager:file:browse'] },
  schedules: [{ name: 'trash of files', everyMs: 3_600_000, work: ({ db }) => emptyTrash(db) }],
  holdings: [ownedFiles],
  seed: { at: 60, run: (db, say, settings) => seedFiles(db, openStorage(settings), say) },
}
