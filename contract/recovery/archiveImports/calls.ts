import * as z from 'zod'
import { archivePath } from '../../agent/archives.ts'
import { csv, del, filter, get, id, listQuery, pageOf, post, version } from '../../kit/endpoint.ts'
import { ArchiveImport, ArchiveImportView, ImportPlan, importStatus } from './shapes.ts'

const begun = z.object({ data: ArchiveImport, workflowId: z.int() })
const base = '/archive-imports'

export const archiveImports = {
  list: get(base, 'archive-import:import:read', {
    summary: 'Imports of archives of other hosting panels, newest first',
    query: {
      ...listQuery(['createdAt', 'fileName']),
      server: filter(csv(id)),
      status: filter(csv(importStatus)),
      search: filter(z.string().trim().max(120)),
    },
    returns: pageOf(ArchiveImport),
  }),
  one: get(`${base}/:id`, 'archive-import:import:read', {
    summary: 'What an archive contains, the plan of its import, and the comparison with the result',
    returns: ArchiveImportView,
  }),
  look: post(base, 'archive-import:import:create', {
    summary: 'Look at an archive that lies on a server or in the file manager; nothing is imported',
    body: {
      serverId: id,
      /** A file on the server. */
      path: archivePath.optional(),
      /** Or a file of the file manager that the caller may open. */
      fileId: id.optional(),
    },
    returns: begun,
  }),
  plan: get(`${base}/:id/plan`, 'archive-import:import:read', {
    summary: 'What becomes of each thing in the archive with these choices',
    query: { userId: id.optional(), plan: id.optional() },
    returns: ImportPlan,
  }),
  start: post(`${base}/:id/start`, 'archive-import:import:start', {
    summary: 'Create what the plan says, on the server of the archive',
    body: {
      version,
      /** Owner of the new websites. */
      userId: id,
      plan: id,
      /** Keys of lines of the plan that stay behind. */
      leaveOut: z.array(z.string().min(1).max(320)).max(5000).optional(),
    },
    status: 202,
    returns: begun,
  }),
  accept: post(`${base}/:id/accept`, 'archive-import:import:start', {
    summary: 'Accept a verified import: its websites and mail domains become ordinary ones',
    status: 202,
    returns: begun,
  }),
  rollBack: post(`${base}/:id/roll-back`, 'archive-import:import:start', {
    summary: 'Undo a stopped or verified import as a whole',
    status: 202,
    returns: begun,
  }),
  remove: del(`${base}/:id`, 'archive-import:import:delete', {
    summary: 'Delete an import that was not started or was rolled back, with the uploaded archive on the server',
    status: 204,
  }),
}
