import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { newPassword } from '../../../hosting/databases/create.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { accessTo } from '../repositories/access.ts'
import { readRepository } from '../repositories/view.ts'
import { chosenServer } from '../runs/place.ts'
import { readServer } from '../servers/view.ts'
import { backupRepositories } from '../tables.ts'
import { backupCopies } from './tables.ts'

/** The repository that receives the copy: the one of a former copy that was ended, or a new one. */
export async function targetFor(
  { app, db, staff }: Context,
  repositoryId: number,
  backupServerId: number,
): Promise<number> {
  await db.execute(sql`select 1 from backup_repositories where backup_repository_id = ${repositoryId} for update`)
  const first = await readRepository(db, repositoryId)
  const refuse = (why: string, field = 'repositoryId') => refused(why, { [field]: why })
  if (first.status !== 'ready') throw refuse(`${first.account} is ${first.status}`)
  if (first.copyOfId) throw refuse(`${first.account} is a copy itself`)
  // restic accepts the key of one bucket at a time, and a bucket does not copy by itself
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
