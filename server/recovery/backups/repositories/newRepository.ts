import { randomBytes } from 'node:crypto'
import { and, eq, isNull, like, or } from 'drizzle-orm'
import { newPassword } from '../../../hosting/databases/create.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { accountEnsure, repositoryEnsure } from '../actions.ts'
import { backupRepositories, backupServers } from '../tables.ts'
import { type Access, accessTo, localOf, onRepository } from './access.ts'

/** The repository of a machine on a backup server; a new one if there is none. */
export async function repositoryFor(
  app: App,
  db: Db,
  serverId: number,
  backupServerId: number,
  by: number | null,
  account = `server-${serverId}`,
) {
  const known = () =>
    db
      .select({ id: backupRepositories.id })
      .from(backupRepositories)
      .where(
        and(
          eq(backupRepositories.backupServerId, backupServerId),
          or(eq(backupRepositories.account, account), like(backupRepositories.account, `${account}-x%`)),
          isNull(backupRepositories.deletedAt),
        ),
      )
  // only the creation takes a lock: thousands of backups start at once, and most find their repository here
  const [there] = await known()
  if (there) return accessTo(db, there.id)
  const [host] = await db.select().from(backupServers).where(eq(backupServers.id, backupServerId)).for('update')
  const [meanwhile] = await known()
  if (meanwhile) return accessTo(db, meanwhile.id)
  const name = randomBytes(6).toString('hex')
  // objects of a deleted repository stay in the bucket: a new one gets a folder of its own
  const folder = host?.s3 ? `${account}-x${name.slice(0, 6)}` : account
  const [made] = await db
    .insert(backupRepositories)
    .values({
      ...{ backupServerId, serverId, account: folder, status: 'preparing', createdBy: by },
      ...{ secret: `backup-repository:${name}`, keySecret: `backup-account:${name}` },
    })
    .returning()
  if (!made) throw new Error('an insert answered no row')
  await app.secrets.write(db, made.secret, newPassword())
  await app.secrets.write(db, made.keySecret, newPassword())
  return accessTo(db, made.id)
}
/** Steps that create the account and the repository; none once it is ready. */
export function preparing(access: Access): PlanStep[] {
  if (access.status === 'ready') return []
  const on = onRepository(access)
  const made = step(repositoryEnsure, localOf(access), on)
  // a bucket has no accounts: every machine reaches all of it
  return 's3' in access.backupServer.at
    ? [made]
    : [step(accountEnsure, { account: access.account, key: access.key }, on), made]
}
