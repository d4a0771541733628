import type { SftpAccess } from '@innkeeper/contract/hosting/sftp'
import { sshKeyType } from '@innkeeper/contract/kit/values'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { servers } from '../../machines/servers/tables.ts'
import { type Remains, remainsOf } from '../systemUsers/remains.ts'
import { readSystemUser } from '../systemUsers/view.ts'
import { sftpAccess, sftpKeys } from './tables.ts'

/** Why nobody can sign in to an account whose website has moved away. */
export const closedText = ({ domain, serverName, username }: Remains) =>
  `${domain} has moved: change the SFTP access of ${username} on ${serverName}. Access to this account is closed until the move is rolled back or this server is retired`

/** SFTP access of an account, even if it never had access. 404 if the account does not exist. */
export async function readAccess(db: Db, systemUserId: number): Promise<SftpAccess> {
  const account = await readSystemUser(db, systemUserId)
  const [access] = await db.select().from(sftpAccess).where(eq(sftpAccess.systemUserId, systemUserId))
  const [server] = await db.select().from(servers).where(eq(servers.id, account.serverId))
  const remains = await remainsOf(db, systemUserId)
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
        ? remains
          ? closedText(remains)
          : null
        : `The account ${account.username} is ${account.status}${account.reason ? `: ${account.reason}` : ''}`,
  }
}
