import type { Exceeding, Plan } from '@innkeeper/contract/hosting/plans'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { type Counted, type Counts, countsIn, kinds, nouns } from './room.ts'

const SHOWN = 100

export type Limits = Pick<Plan, 'name' | 'websites' | 'phpVersions' | Counted>
interface Used extends Counts {
  id: number
  username: string
  serverName: string
  websites: number
  phpVersions: string[]
}

/**
 * The first 100 accounts that exceed `limits`, and their total, of a plan or of one account. Memory, CPU and tasks
 * cannot be exceeded, because the server enforces them.
 */
export async function whatExceeds(
  db: Db,
  of: { planId: number } | { systemUserId: number },
  limits: Limits,
): Promise<{ exceeding: Exceeding[]; total: number }> {
  const which = 'planId' in of ? sql`u.plan_id = ${of.planId}` : sql`u.system_user_id = ${of.systemUserId}`
  const found = await rows<Used & { total: number }>(
    db,
    sql`select *, (count(*) over ())::int as total from (
        select u.system_user_id as id, u.username, s.name as "serverName", has.*,
          ${countsIn(sql`w.system_user_id = u.system_user_id and w.deleted_at is null`)}
        from system_users u join servers s on s.server_id = u.server_id
        cross join lateral (select count(*)::int as websites, coalesce(array_agg(distinct w.php_version), '{}') as "phpVersions"
          from websites w where w.system_user_id = u.system_user_id and w.deleted_at is null and w.kind <> 'alias') has
        where ${which} and u.deleted_at is null) a
      where websites > ${limits.websites} or databases > ${limits.databases} or mailboxes > ${limits.mailboxes}
        or "ftpUsers" > ${limits.ftpUsers} or not "phpVersions" <@ ${sql.param(`{${limits.phpVersions.join(',')}}`)}::text[]
      order by username, id limit ${SHOWN}`,
  )
  const exceeding = found.map(({ id, username, serverName, ...used }) => ({
    systemUserId: id,
    username,
    serverName,
    what: inWords({ id, username, serverName, ...used }, limits),
  }))
  return { exceeding, total: found[0]?.total ?? 0 }
}

function inWords(used: Used, limits: Limits): string[] {
  const over = (['websites', ...kinds] as const).filter((kind) => used[kind] > limits[kind])
  const foreign = used.phpVersions.filter((version) => !limits.phpVersions.includes(version))
  return [
    ...over.map(
      (kind) => `has ${used[kind]} ${{ websites: 'websites', ...nouns }[kind]}, ${limits.name} allows ${limits[kind]}`,
    ),
    ...foreign.map((version) => `runs PHP ${version}, which ${limits.name} does not have`),
  ]
}
