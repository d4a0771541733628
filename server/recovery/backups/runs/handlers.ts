import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { runStatus } from '@innkeeper/contract/recovery/backups/values'
import { eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nameLike } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { given, pairOf } from '../list.ts'
import { accessTo } from '../repositories/access.ts'
import { forgetThese } from '../repositories/startMaintenance.ts'
import { saveSchedule } from '../schedules/save.ts'
import { backups } from '../tables.ts'
import { startDrill } from './drill.ts'
import { chosenServer, usualServer } from './place.ts'
import { startBackup } from './start.ts'
import { readBackup, readBackupsInOrder, storedBackup } from './view.ts'

type Calls = Handlers<typeof contract>
const sorts = {
  createdAt: { column: backups.createdAt, type: 'instant', direction: 'DESC' },
  startedAt: { column: backups.createdAt, type: 'instant', direction: 'DESC' },
  bytes: { column: sql`coalesce(${backups.bytes}, -1)`, type: 'int', direction: 'DESC' },
} as const

export const runsHandlers = {
  list: (input, { db }) =>
    pairOf(
      db,
      input,
      {
        from: sql`${backups}`,
        where: given(
          isNull(backups.deletedAt),
          input.search !== undefined && nameLike(backups.domain, input.search),
          input.websiteId && inArray(backups.websiteId, input.websiteId),
          input.serverId && inArray(backups.serverId, input.serverId),
          input.repositoryId && inArray(backups.repositoryId, input.repositoryId),
          input.status && inArray(backups.status, input.status),
          input.kind && inArray(backups.kind, input.kind),
          input.mode && inArray(backups.mode, input.mode),
          input.proven !== undefined && (input.proven ? isNotNull(backups.provenAt) : isNull(backups.provenAt)),
        ),
        key: backups.id,
        order: sorts[input.sort ?? 'createdAt'],
      },
      readBackupsInOrder,
    ),
  one: ({ id }, { db }) => readBackup(db, id),

  async create({ mode, schedule, backupServerId, ...wanted }, context) {
    const { db, app, staff, audit } = context
    const server = await chosenServer(db, backupServerId ?? (await usualServer(db, wanted.websiteId)))
    if (mode === 'scheduled') {
      if (!schedule) throw refused('A scheduled backup needs its schedule', { schedule: 'Required' })
      const { websiteId, kind, excludes } = wanted
      const fields = { ...schedule, websiteId, kind, excludes, backupServerId: server, enabled: true }
      const scheduleId = await saveSchedule(context, fields)
      return { data: null, workflowId: null, scheduleId }
    }
    const begun = await startBackup(app, db, { ...wanted, backupServerId: server, mode }, staff)
    const data = await readBackup(db, begun.id)
    audit.of('backup', begun.id)
    audit.workflow(begun.workflowId)
    audit.after(data)
    return { data, workflowId: begun.workflowId, scheduleId: null }
  },

  async update({ id, version, held: keeps }, context) {
    const { db, audit } = context
    await held(context, id, version)
    if (keeps) await checkStays(db, id)
    await db
      .update(backups)
      .set({ held: keeps, ...nextVersion })
      .where(eq(backups.id, id))
    const after = await readBackup(db, id)
    audit.after(after)
    await changed(db, 'backups', id)
    return after
  },

  async remove({ id, version }, context) {
    const { db, staff, audit } = context
    const backup = await held(context, id, version)
    if (backup.held) throw refused('This backup is held: release it first')
    if (backup.status === runStatus.pending || backup.status === runStatus.running)
      throw conflict('This backup is running: cancel its workflow first')
    if ((await storedBackup(db, id)).leaving) throw conflict('This backup is already being removed')
    const access = await accessTo(db, backup.repositoryId)
    const server = { id: access.backupServer.id, name: backup.backupServerName }
    const workflowId = await forgetThese(db, server, access, [id], staff)
    audit.workflow(workflowId)
    await changed(db, 'backups', id)
    return { workflowId }
  },

  async website({ id }, { db }) {
    const { configuration, parts } = await storedBackup(db, id)
    return { website: configuration.website, parts: parts.filter(({ resource }) => resource === 'website') }
  },
  async database({ id }, { db }) {
    const { configuration, parts } = await storedBackup(db, id)
    return { databases: configuration.databases, parts: parts.filter(({ resource }) => resource === 'mysql') }
  },
  websiteConfig: async ({ id }, { db }) => (await storedBackup(db, id)).configuration.website,
  databaseConfig: async ({ id }, { db }) => ({ items: (await storedBackup(db, id)).configuration.databases }),

  async drill({ id }, context) {
    const { db, staff, audit } = context
    await readBackup(db, id)
    const workflowId = await startDrill(db, id, staff)
    audit.of('backup', id)
    audit.workflow(workflowId)
    return { workflowId }
  },
} satisfies Partial<Calls>

/** Throws 409 if running work removes the backup or its repository: a hold would promise what is not kept. */
async function checkStays(db: Db, id: number): Promise<void> {
  const [found] = await rows<{ leaving: boolean; account: string; status: string }>(
    db,
    sql`select k.leaving, r.account, r.status from backups k
      join backup_repositories r on r.backup_repository_id = k.backup_repository_id where k.backup_id = ${id} for share of r`,
  )
  if (found?.leaving) throw conflict('This backup is being removed')
  if (found?.status === 'removing') throw conflict(`${found.account} is being removed with all its backups`)
}

async function held({ db, audit }: Context, id: number, version: number | undefined) {
  await db.execute(sql`select 1 from backups where backup_id = ${id} for update`)
  const backup = await readBackup(db, id)
  checkVersion(backup, version, backup.domain)
  audit.before(backup)
  return backup
}
