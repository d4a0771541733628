import { sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { readServer } from './view.ts'

/** Default keep policy. */
export const usualKeep = { last: 3, hourly: 0, daily: 14, weekly: 8, monthly: 12, yearly: 2 }

/** Locks a backup server for a change. */
export async function heldServer({ db, audit }: Context, id: number, version: number | undefined) {
  await db.execute(sql`select 1 from backup_servers where backup_server_id = ${id} for update`)
  const server = await readServer(db, id)
  checkVersion(server, version, server.name)
  audit.before(server)
  if (server.status === 'removing') throw refused(`${server.name} is being removed`)
  return server
}

/** Throws 422 for a bucket, because a store without restic cannot do the requested task. */
export async function refuseBucket(db: Db, id: number, field = 'backupServerId'): Promise<void> {
  const { name, s3 } = await readServer(db, id)
  if (s3) throw refused(`${name} is a bucket: choose a backup server`, { [field]: 'Is a bucket' })
}
