import { randomBytes } from 'node:crypto'
import type { backups as contract } from '@innkeeper/contract/backups'
import { nextRun } from '@innkeeper/contract/backups/when'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { newPassword } from '../../databases/create.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { checkVersion, risen } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { given, pairOf } from '../list.ts'
import { note } from '../record.ts'
import { accessTo } from '../repositories/access.ts'
import { readRepository } from '../repositories/view.ts'
import { chosenServer } from '../runs/start.ts'
import { readServer } from '../servers/view.ts'
import { backupRepositories, backups } from '../tables.ts'
import { startCopy } from './run.ts'
import { backupCopies } from './tables.ts'
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
      .set({ when, limit, enabled, nextAt, ...risen })
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

/**
 * Makes the copy the repository of all copied backups. Backups that were not copied become failed: nothing is left of
 * them.
 */
async function takeOver(db: Db, repositoryId: number, targetId: number): Promise<{ kept: number; lost: number }> {
  const why = 'Its repository was lost before this backup was copied'
  const moved = await rows(
    db,
    sql`update backups k set backup_repository_id = ${targetId}, copied_at = null, version = version + 1,
        parts = (select jsonb_agg((p || jsonb_build_object('snapshot', p -> 'copy')) - 'copy' order by n)
          from jsonb_array_elements(k.parts) with ordinality e(p, n))
      where k.backup_repository_id = ${repositoryId} and k.deleted_at is null and k.copied_at is not null
      returning k.backup_id`,
  )
  const lost = await rows(
    db,
    sql`update backups k set status = 3, error = ${why}, proven_at = null, proof = null, version = version + 1,
        parts = coalesce((select jsonb_agg(p || jsonb_build_object('snapshot', null, 'problem', ${why}::text) order by n)
          from jsonb_array_elements(k.parts) with ordinality e(p, n)), '[]')
      where k.backup_repository_id = ${repositoryId} and k.deleted_at is null and k.status in (2, 4) returning k.backup_id`,
  )
  await db
    .update(backupRepositories)
    .set({ copyOfId: null, ...risen })
    .where(eq(backupRepositories.id, targetId))
  // the next backup to the first server creates the repository again, or opens it if it is back
  await db
    .update(backupRepositories)
    .set({ status: 'preparing', ...risen })
    .where(eq(backupRepositories.id, repositoryId))
  await changed(db, 'backups')
  return { kept: moved.length, lost: lost.length }
}

async function end(db: Db, id: number): Promise<void> {
  await db
    .update(backupCopies)
    .set({ deletedAt: sql`now()`, enabled: false, nextAt: null, ...risen })
    .where(eq(backupCopies.id, id))
  await changed(db, 'backups')
}

/** The repository that receives the copy: the one of a former copy that was ended, or a new one. */
async function targetFor({ app, db, staff }: Context, repositoryId: number, backupServerId: number): Promise<number> {
  await db.execute(sql`select 1 from backup_repositories where backup_repository_id = ${repositoryId} for update`)
  const first = await readRepository(db, repositoryId)
  const refuse = (why: string, field = 'repositoryId') => refused(why, { [field]: why })
  if (first.status !== 'ready') throw refuse(`${first.account} is ${first.status}`)
  if (first.copyOfId) throw refuse(`${first.account} is a copy itself`)
  // restic knows the key of one store at a time, and a store does not copy by itself
  const source = await readServer(db, first.backupServerId)
  if (source.s3) throw refuse(`${first.account} is in the bucket ${source.name}: let its store replicate the bucket`)
  const { s3 } = await readServer(db, await chosenServer(db, backupServerId))
  if (backupServerId === first.backupServerId)
    throw refuse(`${first.account} is on ${first.backupServerName}: choose another backup server`, 'backupServerId')
  const [open] = await db
    .select({ id: backupCopies.id })
    .from(backupCopies)
    .where(and(eq(backupCopies.repositoryId, repositoryId), isNull(backupCopies.deletedAt)))
  if (open) throw conflict(`${first.account} has a copy already`, { fields: { repositoryId: 'Has a copy already' } })
  const [former] = await db
    .select({ id: backupRepositories.id, backupServerId: backupRepositories.backupServerId })
    .from(backupRepositories)
    .where(and(eq(backupRepositories.copyOfId, repositoryId), isNull(backupRepositories.deletedAt)))
  if (former?.backupServerId === backupServerId) return former.id
  if (former) throw refuse(`Delete the former copy of ${first.account} on its backup server first`, 'backupServerId')
  const name = randomBytes(6).toString('hex')
  const [made] = await db
    .insert(backupRepositories)
    .values({
      // objects of a deleted copy stay in the bucket: a new copy gets a folder of its own
      ...{ account: `copy-${repositoryId}${s3 ? `-x${name.slice(0, 6)}` : ''}`, status: 'preparing' },
      ...{ backupServerId, serverId: first.serverId },
      ...{ copyOfId: repositoryId, createdBy: staff.id },
      ...{ secret: `backup-repository:${name}`, keySecret: `backup-account:${name}` },
    })
    .returning()
  if (!made) throw new Error('an insert answered no row')
  await app.secrets.write(db, made.secret, newPassword())
  await app.secrets.write(db, made.keySecret, newPassword())
  return (await accessTo(db, made.id)).id // refuses a backup server that is not prepared
}

async function held({ db, audit }: Context, id: number, version: number | undefined) {
  await db.execute(sql`select 1 from backup_copies where backup_copy_id = ${id} for update`)
  const copy = await readCopy(db, id)
  checkVersion(copy, version, copy.account)
  audit.of('backup-copy', id)
  audit.before(copy)
  return copy
}

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
