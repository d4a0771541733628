import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { and, count, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { contains } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { repositoryRemove, storeLeave } from '../actions.ts'
import { backupCopies } from '../copies/tables.ts'
import { given, pairOf } from '../list.ts'
import { ownBackups } from '../own/tables.ts'
import { backupRepositories, backups } from '../tables.ts'
import { accessTo, checkUnlocked, onRepository } from './access.ts'
import { startCheck } from './check.ts'
import { passwordHandlers } from './password.ts'
import { readSizes } from './sizes.ts'
import { readRepositoriesInOrder, readRepository } from './view.ts'

type Calls = Handlers<typeof contract>

export const repositoriesHandlers = {
  ...passwordHandlers,
  repositories: (input, { db }) =>
    pairOf(
      db,
      input,
      {
        from: sql`${backupRepositories}`,
        where: given(
          isNull(backupRepositories.deletedAt),
          input.search !== undefined && contains(backupRepositories.account, input.search),
          input.backupServerId && inArray(backupRepositories.backupServerId, input.backupServerId),
          input.serverId && inArray(backupRepositories.serverId, input.serverId),
        ),
        key: backupRepositories.id,
        order:
          input.sort === 'createdAt'
            ? { column: backupRepositories.createdAt, type: 'instant', direction: 'DESC' }
            : { column: backupRepositories.account, type: 'text', direction: 'ASC' },
      },
      readRepositoriesInOrder,
    ),
  repository: ({ id }, { db }) => readRepository(db, id),
  sizes: ({ id }, { db }) => readSizes(db, id),

  async removeRepository({ id, version, name }, { db, app, staff, audit }) {
    await db.execute(sql`select 1 from backup_repositories where backup_repository_id = ${id} for update`)
    const repository = await readRepository(db, id)
    checkVersion(repository, version, repository.account)
    audit.before(repository)
    if (repository.backups && name !== repository.account)
      throw refused(`${repository.account} has ${repository.backups} backups: type its name`, {
        name: `Type ${repository.account}`,
      })
    await checkNoneHeld(db, repository)
    await checkNoCopying(db, repository)
    const access = await accessTo(db, id)
    await checkUnlocked(db, [access], 'maintenance')
    const { resource } = onRepository(access)
    const input = { account: access.account, keepDays: app.settings.trashDays }
    const workflowId = await start(db, {
      ...{ kind: 'backup-repository.remove', subject: resource, holder: staff.name, startedById: staff.id },
      plan: [
        's3' in access.backupServer.at
          ? step(storeLeave, { what: access.account }, { resource })
          : step(repositoryRemove, input, onRepository(access)),
      ],
      locks: [`backup-repository:${id}`],
    })
    await db
      .update(backupRepositories)
      .set({ status: 'removing', workflowId, ...nextVersion })
      .where(eq(backupRepositories.id, id))
    audit.workflow(workflowId)
    await changed(db, 'backups')
    return { workflowId }
  },

  async check({ id, share }, { db, staff, audit }) {
    const workflowId = await startCheck(db, id, share, staff)
    audit.of('backup-repository', id)
    audit.workflow(workflowId)
    return { workflowId }
  },
} satisfies Partial<Calls>

async function checkNoneHeld(db: Db, { id, account }: { id: number; account: string }): Promise<void> {
  const [{ count: n } = { count: 0 }] = await db
    .select({ count: count() })
    .from(backups)
    .where(and(eq(backups.repositoryId, id), isNull(backups.deletedAt), backups.held))
  if (n) throw refused(`${n} backups in ${account} are held: release them first`)
}

/**
 * Throws 422 while a copy is configured: neither the repository nor its copy can be deleted before copying is ended.
 */
async function checkNoCopying(db: Db, { id, account }: { id: number; account: string }): Promise<void> {
  const [copy] = await db
    .select({ id: backupCopies.id })
    .from(backupCopies)
    .where(and(isNull(backupCopies.deletedAt), or(eq(backupCopies.repositoryId, id), eq(backupCopies.targetId, id))))
  if (copy) throw refused(`${account} is copied: end the copying first`)
  const [own] = await db
    .select({ id: ownBackups.id })
    .from(ownBackups)
    .where(and(isNull(ownBackups.deletedAt), eq(ownBackups.repositoryId, id), sql`${ownBackups.status} in (0, 1)`))
  if (own) throw refused('Innkeeper is being backed up into this repository: wait for its end')
  const [kept] = await db
    .select({ account: backupRepositories.account })
    .from(backupRepositories)
    .where(and(isNull(backupRepositories.deletedAt), eq(backupRepositories.copyOfId, id)))
  if (kept) throw refused(`${kept.account} has a copy of ${account}: delete the copy first`)
}
