import type { Bucket } from '@innkeeper/contract/recovery/backups/shapes'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../kit/db/db.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { type PlanStep, type SecretReference, secret, setting, step } from '../../../kit/work/action.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { programEnsure } from '../actions.ts'
import { backupLocks, backupRepositories, backupServers } from '../tables.ts'

export interface Access {
  id: number
  account: string
  status: (typeof backupRepositories.$inferSelect)['status']
  server: { id: number; name: string }
  backupServer: {
    id: number
    /** Server on which maintenance of the repository runs. */
    serverId: number
    name: string
    at: { address: string; port: number; certificate: string } | { s3: ReturnType<typeof guardedBucket> }
  }
  password: SecretReference
  key: SecretReference
}

const machines = alias(servers, 'machines')

/** The fields that operations need to reach a repository. Throws 422 if its backup server is not ready. */
export async function accessTo(db: Db, repositoryId: number): Promise<Access> {
  const [found] = await accessesTo(db, [repositoryId])
  if (!found) throw notFound('backup repository', repositoryId)
  return found
}

/** The same for several repositories, ordered by id. */
export async function accessesTo(db: Db, ids: number[]): Promise<Access[]> {
  if (!ids.length) return []
  const found = await db
    .select({ repository: backupRepositories, backupServer: backupServers, host: servers, machine: machines.name })
    .from(backupRepositories)
    .innerJoin(backupServers, eq(backupServers.id, backupRepositories.backupServerId))
    .innerJoin(servers, eq(servers.id, backupServers.serverId))
    .innerJoin(machines, eq(machines.id, backupRepositories.serverId))
    .where(and(inArray(backupRepositories.id, ids), isNull(backupRepositories.deletedAt)))
    .orderBy(backupRepositories.id)
  return found.map(({ repository, backupServer, host, machine }) => ({
    id: repository.id,
    account: repository.account,
    status: repository.status,
    server: { id: repository.serverId, name: machine },
    backupServer: reachable(backupServer, host),
    password: secret(repository.secret),
    key: secret(backupServer.secret ?? repository.keySecret),
  }))
}

function reachable(
  { id, serverId, status, port, certificate, s3, name: its }: typeof backupServers.$inferSelect,
  { name, address }: { name: string; address: string | null },
): Access['backupServer'] {
  if (s3) {
    if (status !== 'ready') throw refused(`The bucket ${its} is not prepared`, { backupServerId: 'Is not prepared' })
    return { id, serverId, name: its ?? s3.bucket, at: { s3: guardedBucket(s3) } }
  }
  if (!address) throw refused(`${name} has no address: machines cannot reach it`, { backupServerId: 'Has no address' })
  if (status !== 'ready' || !certificate)
    throw refused(`The backup server ${name} is not prepared`, { backupServerId: 'Is not prepared' })
  return { id, serverId, name, at: { address, port, certificate } }
}

/** A bucket as operations have it: a reference says which private addresses the agent may connect to. */
export const guardedBucket = (s3: Bucket) => ({
  ...s3,
  privateTargets: setting('privateTargets') as unknown as string[], // filled in when the agent claims the action
})

/** Fields of a repository for operations on the machine whose backups it holds. */
export const remoteOf = ({ backupServer, account, key, password }: Access) => ({
  ...backupServer.at,
  ...{ account, key, password },
})
/** Fields of a repository for operations on the backup server. */
export const localOf = ({ account, password, backupServer: { at }, key }: Access) => ({
  ...{ account, password },
  ...('s3' in at && { s3: at.s3, key }),
})
/** Server and resource of a step that maintains a repository. */
export const onRepository = ({ id, account, backupServer }: Access) => ({
  server: backupServer.serverId,
  resource: { type: 'backup-repository', id, name: account },
})

/** The step that installs restic on a machine. */
export const withProgram = (server: { id: number; name: string }): PlanStep =>
  step(programEnsure, { server: false }, { server: server.id, resource: { type: 'packages', ...server } })

/** Throws 409 while a person has locked one of the repositories for this, or running work removes it. */
export async function checkUnlocked(db: Db, all: Access[], purpose: 'backup' | 'restore' | 'maintenance') {
  if (!all.length) return
  const leaving = all.find(({ status }) => status === 'removing')
  if (leaving) throw conflict(`${leaving.account} is being removed with all its backups`)
  const locks = await db
    .select()
    .from(backupLocks)
    .where(
      and(
        inArray(
          backupLocks.repositoryId,
          all.map(({ id }) => id),
        ),
        eq(backupLocks.state, 'locked'),
        eq(backupLocks.source, 'innkeeper'),
      ),
    )
  const lock = locks.find(({ type }) => purpose !== 'restore' || type !== 'allow-restore')
  if (!lock) return
  const account = all.find(({ id }) => id === lock.repositoryId)?.account
  throw conflict(`${account} is locked by ${lock.holder ?? 'somebody'} (${lock.reason}): release the lock first`)
}
