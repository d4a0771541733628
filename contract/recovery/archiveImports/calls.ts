import * as z from 'zod'
import { archiveAddress, archivePath, hostKeyPrint } from '../../agent/archives.ts'
import { csv, del, filter, get, id, listQuery, pageOf, post, version } from '../../kit/endpoint.ts'
import { domain } from '../../kit/values.ts'
import { lateMailBody } from './lateMail.ts'
import { passwordLinkCalls } from './passwords.ts'
import { ArchiveImport, ArchiveImportView, ImportPlan, importStatus } from './shapes.ts'

const begun = z.object({ data: ArchiveImport, workflowId: z.int() })
const base = '/archive-imports'
const lineKey = z.string().min(1).max(320)

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
    summary: 'Look at an archive on a server, in the file manager or at an address; nothing is imported',
    body: {
      serverId: id,
      /** A file on the server. */
      path: archivePath.optional(),
      /** Or a file of the file manager that the caller may open. */
      fileId: id.optional(),
      /** Or an address, from which the server fetches the archive. */
      address: archiveAddress.optional(),
      /** Password or private key of an address with SFTP. */
      login: z.string().min(1).max(20_000).optional(),
      /** Fingerprint of the host key of an address with SFTP; absent: the first one is taken. */
      hostKey: hostKeyPrint.optional(),
      /** Name of the website, if the archive is a plain folder. */
      domain: domain.optional(),
    },
    returns: begun,
  }),
  plan: get(`${base}/:id/plan`, 'archive-import:import:read', {
    summary: 'What becomes of each thing in the archive with these choices',
    query: { userId: id.optional(), plan: id.optional(), replace: csv(lineKey).optional() },
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
      leaveOut: z.array(lineKey).max(5000).optional(),
      /** Keys of databases of an earlier import whose whole contents are replaced. */
      replace: z.array(lineKey).max(1000).optional(),
    },
    status: 202,
    returns: begun,
  }),
  accept: post(`${base}/:id/accept`, 'archive-import:import:start', {
    summary: 'Accept a verified import: its websites and mail domains become ordinary ones',
    status: 202,
    returns: begun,
  }),
  pause: post(`${base}/:id/pause`, 'archive-import:import:start', {
    summary: 'Pause a running import: the running step ends, and no further one begins',
    status: 202,
    returns: begun,
  }),
  resume: post(`${base}/:id/resume`, 'archive-import:import:start', {
    summary: 'Go on with a paused import',
    status: 202,
    returns: begun,
  }),
  rollBack: post(`${base}/:id/roll-back`, 'archive-import:import:start', {
    summary: 'Undo a paused, stopped or verified import as a whole',
    status: 202,
    returns: begun,
  }),
  cutOver: post(`${base}/:id/cut-over`, 'archive-import:import:start', {
    summary: 'Say which DNS records lead to the imported websites and mail, and look until they do',
    body: {
      version,
      /** False: the names are not looked up any more. */
      watch: z.boolean(),
      /** Address records in zones of Innkeeper are changed. */
      change: z.boolean().optional(),
    },
    returns: z.object({ data: ArchiveImportView, workflowIds: z.array(z.int()) }),
  }),
  fetchLate: post(`${base}/:id/late-mail`, 'archive-import:import:start', {
    summary: 'Fetch mail that still arrives at the former server each hour, until a date',
    body: lateMailBody,
    returns: ArchiveImportView,
  }),
  stopLate: del(`${base}/:id/late-mail`, 'archive-import:import:start', {
    summary: 'Fetch no more mail from the former server, and forget its passwords',
    returns: ArchiveImportView,
  }),
  ...passwordLinkCalls,
  remove: del(`${base}/:id`, 'archive-import:import:delete', {
    summary: 'Delete an import that was not started or was rolled back, with the uploaded archive on the server',
    status: 204,
  }),
}
