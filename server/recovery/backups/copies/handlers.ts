import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { nextRun } from '@innkeeper/contract/recovery/backups/when'
import { eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { given, pairOf } from '../list.ts'
import { note } from '../record.ts'
import { backups } from '../tables.ts'
import { startCopy } from './run.ts'
import { backupCopies } from './tables.ts'
import { end, held, takeOver } from './takeOver.ts'
import { targetFor } from './target.ts'
import { readCopiesInOrder, readCopy } from './view.ts'

type Calls = Handlers<typeof contract>
const ofServer = (ids: number[]) => sql`exists (select from backup_repositories t where t.backup_repository_id =
  backup_copies.target_repository_id and t.backup_server_id in ${ids})`

export const copiesHandlers = {
  copies: (input, { db }) =>
    pairOf(
      db,
      input,
      {
        from: sql`${backupCopies}`,
        where: given(
          isNull(backupCopies.deletedAt),
          input.repositoryId && inArray(backupCopies.repositoryId, input.repositoryId),
          input.backupServerId && ofServer(input.backupServerId),
        ),
        key: backupCopies.id,
        order: { column: backupCopies.createdAt, type: 'instant', direction: 'DESC' },
      },
      readCopiesInOrder,
    ),
  oneCopy: ({ id }, { db }) => readCopy(db, id),

  async createCopy({ repositoryId, backupServerId, when, limit }, context) {
    const { db, staff, audit, now } = context
    const targetId = await targetFor(context, repositoryId, backupServerId)
    const nextAt = when && nextRun(when, now).toISOString()
    const [made] = await db
      .insert(backupCopies)
      .values({ repositoryId, targetId, when, limit, nextAt, createdBy: staff.id })
      .returning({ id: backupCopies.id })
    if (!made) throw new Error('an insert answered no row')
    const workflowId = await startCopy(db, made.id, staff)
    const data = await readCopy(db, made.id)
    audit.of('backup-copy', made.id)
    audit.workflow(workflowId)
    audit.after(data)
    return { data, workflowId }
  },

  async updateCopy({ id, version, when, limit, enabled }, context) {
    const { db, audit, now } = context
    const before = await held(context, id, version)
    const next = { when: when === undefined ? before.when : when, enabled: enabled ?? before.enabled }
    const nextAt = next.when && next.enabled ? nextRun(next.when, now).toISOString() : null
    await db
      .update(backupCopies)
      .set({ when, limit, enabled, nextAt, ...nextVersion })
      .where(eq(backupCopies.id, id))
    const after = await readCopy(db, id)
    audit.after(after)
    await changed(db, 'backups')
    return after
  },

  async runCopy({ id }, { db, staff, audit }) {
    const workflowId = await startCopy(db, id, staff)
    audit.of('backup-copy', id)
    audit.workflow(workflowId)
    return { workflowId }
  },

  async removeCopy({ id, version }, context) {
    const copy = await held(context, id, version)
    if (copy.state === 'running') throw conflict(`${copy.account} is being copied: wait for it`)
    await end(context.db, id)
  },

  async useCopy({ id, version, name, lost }, context) {
    const { db, audit } = context
    const copy = await held(context, id, version)
    if (name !== copy.account)
      throw refused(`Type ${copy.account} to use its copy instead`, { name: `Type ${copy.account}` })
    if (copy.state === 'running') throw conflict(`${copy.account} is being copied: wait for it, or roll it back`)
    if (lost !== undefined && lost !== copy.waiting)
      throw conflict(`${copy.waiting} backups would be lost now, not ${lost}: look again`)
    if (!copy.copied) throw refused(`Nothing of ${copy.account} is copied yet`)
    const result = await takeOver(db, copy.repositoryId, copy.targetId)
    await end(db, id)
    await note(db, 'warning', `The copy of ${copy.account} on ${copy.targetServerName} is used instead of the first`, {
      repositoryId: copy.targetId,
    })
    audit.after({ ...result, targetId: copy.targetId })
    return { ...result, targetId: copy.targetId }
  },
} satisfies Partial<Calls>

/** Marks the backups of a deleted copy as not copied. */
export const copyIsGone = (db: Db, targetId: number) =>
  db
    .update(backups)
    .set({
      copiedAt: null,
      parts: sql`coalesce((select jsonb_agg(p - 'copy' order by n) from jsonb_array_elements(${backups.parts}) with ordinality e(p, n)), '[]')`,
    })
    .where(
      sql`copied_at is not null and backup_repository_id = (select copy_of_id from backup_repositories where backup_repository_id = ${targetId})`,
    )
