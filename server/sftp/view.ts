import type { SftpAccess } from '@innkeeper/contract/sftp'
import { sshKeyType } from '@innkeeper/contract/values'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { servers } from '../servers/tables.ts'
import { readSystemUser } from '../systemUsers/view.ts'
import { sftpAccess, sftpKeys } from './tables.ts'

/** SFTP access of an account, even if it never had access. 404 if the account does not exist. */
export async function readAccess(db: Db, systemUserId: number): Promise<SftpAccess> {
  const account = await readSystemUser(db, systemUserId)
  const [access] = await db.select().from(sftpAccess).where(eq(sftpAccess.systemUserId, systemUserId))
  const [server] = await db.select().from(servers).where(eq(servers.id, account.serverId))
  const keys = await db.select().from(sftpKeys).where(eq(sftpKeys.systemUserId, systemUserId)).orderBy(asc(sftpKeys.id))
  return {
    systemUserId,
    version: access?.version ?? 1,
    state: access?.state ?? 'off',
    host: server?.address ?? null,
    port: access?.port ?? 22,
    username: account.username,
    hostKeys: access?.hostKeys ?? [],
    passwordSetAt: access?.passwordSetAt ?? null,
    keys: keys.map(({ id, type, fingerprint, comment, addedBy, createdAt, expiresAt, state }) => ({
      ...{ id, type: sshKeyType.parse(type), fingerprint, comment, addedBy, addedAt: createdAt, expiresAt, state },
    })),
    refused:
      account.status === 'active'
        ? null
        : `The account ${account.username} is ${account.status}${account.reason ? `: ${account.reason}` : ''}`,
  }
}
