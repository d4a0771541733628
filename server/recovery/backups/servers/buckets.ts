import { randomBytes } from 'node:crypto'
import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { keepsNothing } from '@innkeeper/contract/recovery/backups/keep'
import { Bucket } from '@innkeeper/contract/recovery/backups/shapes'
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { secret, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { programEnsure, storeCheck } from '../actions.ts'
import { guardedBucket } from '../repositories/access.ts'
import { backupServers } from '../tables.ts'
import { endFailed, heldServer, usualKeep } from './held.ts'
import { readServer } from './view.ts'

type Calls = Handlers<typeof contract>

/** Buckets of S3 stores. A managed server maintains each bucket, because a store cannot run restic. */
export const bucketsHandlers = {
  async createBucket({ serverId, name, key, note, keep = usualKeep, ...place }, context) {
    const { db, app, staff } = context
    await checkKeeper(db, serverId)
    if (keepsNothing(keep)) throw refused('This policy would remove every backup', { keep: 'Keep at least one' })
    const s3 = Bucket.parse(place)
    await checkFree(db, name, s3)
    const sealed = `backup-bucket:${randomBytes(6).toString('hex')}`
    await app.secrets.write(db, sealed, key)
    const [made] = await db
      .insert(backupServers)
      .values({ serverId, port: 0, name, s3, secret: sealed, note, keep, status: 'preparing', createdBy: staff.id })
      .returning({ id: backupServers.id })
    if (!made) throw new Error('an insert answered no row')
    return tried(context, made.id)
  },

  async updateBucket({ id, version, key, ...change }, context) {
    const { db, app, staff } = context
    const { repositories, name } = await heldServer(context, id, version)
    const [row] = await db.select().from(backupServers).where(eq(backupServers.id, id))
    if (!row?.s3 || !row.secret) throw refused('This backup server is no bucket', { id: 'Is no bucket' })
    const sent = given(change)
    const s3 = Bucket.parse({ ...row.s3, ...sent })
    for (const field of ['bucket', 'prefix'] as const)
      if (repositories && s3[field] !== row.s3[field])
        throw refused(`${name} has repositories in ${row.s3.bucket}/${row.s3.prefix}`, { [field]: 'Has repositories' })
    await checkFree(db, row.name ?? '', s3, id)
    await endFailed(db, row.workflowId, staff.name)
    if (key !== undefined) await app.secrets.write(db, row.secret, key)
    await db
      .update(backupServers)
      .set({ s3, status: 'preparing', deletedAt: null, ...nextVersion })
      .where(eq(backupServers.id, id))
    return tried(context, id)
  },
} satisfies Partial<Calls>

/** Starts the workflow that tests the bucket. */
async function tried({ db, staff, audit }: Context, id: number) {
  const [row] = await db.select().from(backupServers).where(eq(backupServers.id, id))
  if (!row?.s3 || !row.secret) throw new Error(`backup server ${id} is no bucket`)
  const resource = { type: 'backup-server', id, name: row.name ?? row.s3.bucket }
  const on = { server: row.serverId, resource }
  const workflowId = await start(db, {
    ...{ kind: 'backup-server.prepare', subject: resource, holder: staff.name, startedById: staff.id },
    plan: [
      step(programEnsure, { server: false }, on),
      step(storeCheck, { s3: guardedBucket(row.s3), key: secret(row.secret) }, on),
    ],
    locks: [`backup-server:${id}`],
  })
  await db.update(backupServers).set({ workflowId }).where(eq(backupServers.id, id))
  const data = await readServer(db, id)
  audit.of('backup-server', id)
  audit.workflow(workflowId)
  audit.after(data)
  await changed(db, 'backups')
  return { data, workflowId }
}

/** Throws 422 unless the server exists. Any managed server can maintain a bucket; one without websites is best. */
async function checkKeeper(db: Db, serverId: number): Promise<void> {
  const [server] = await db
    .select({ status: servers.status })
    .from(servers)
    .where(and(eq(servers.id, serverId), isNull(servers.deletedAt)))
  if (!server) throw refused(`There is no server ${serverId}`, { serverId: 'Is no server' })
}

/** Advisory lock: of two buckets at once, the second finds the first. */
const CHOOSING = 4_400_055

/** Throws 409 if another bucket has the name or folder: two with one folder would prune each other's repositories. */
async function checkFree(db: Db, name: string, { endpoint, bucket, prefix }: Bucket, besides = 0): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${CHOOSING})`)
  const same = sql`${backupServers.s3} @> ${JSON.stringify({ endpoint, bucket, prefix })}::jsonb`
  const [taken] = await db
    .select({ name: backupServers.name })
    .from(backupServers)
    .where(and(or(eq(backupServers.name, name), same), ne(backupServers.id, besides), isNull(backupServers.deletedAt)))
  if (!taken) return
  if (taken.name === name)
    throw conflict(`A bucket ${name} already exists`, { fields: { name: 'There is one already' } })
  throw conflict(`${taken.name} already uses this folder`, { fields: { prefix: `${taken.name} uses this folder` } })
}
