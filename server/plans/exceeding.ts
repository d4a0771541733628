import type { Exceeding, Plan } from '@innkeeper/contract/plans'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'

const SHOWN = 100

export type Limits = Pick<Plan, 'name' | 'websites' | 'phpVersions'>
interface Used {
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
    sql`select u.system_user_id as id, u.username, s.name as "serverName", count(*)::int as websites,
        array_agg(distinct w.php_version) as "phpVersions", (count(*) over ())::int as total
      from system_users u
      join servers s on s.server_id = u.server_id
      join websites w on w.system_user_id = u.system_user_id and w.deleted_at is null and w.kind <> 'alias'
      where ${which} and u.deleted_at is null
      group by u.system_user_id, s.name
      having count(*) > ${limits.websites}
        or not array_agg(distinct w.php_version) <@ ${sql.param(`{${limits.phpVersions.join(',')}}`)}::text[]
      order by u.username, u.system_user_id limit ${SHOWN}`,
  )
  const exceeding = found.map(({ id, username, serverName, ...used }) => ({
    systemUserId: id,
    username,
    serverName,
    what: inWords(used, limits),
  }))
  return { exceeding, total: found[0]?.total ?? 0 }
}

function inWords({ websites, phpVersions }: Pick<Used, 'websites' | 'phpVersions'>, limits: Limits): string[] {
  const foreign = phpVersions.filter((version) => !limits.phpVersions.includes(version))
  return [
    ...(websites > limits.websites ? [`has ${websites} websites, ${limits.name} allows ${limits.websites}`] : []),
    ...foreign.map((version) => `runs PHP ${version}, which ${limits.name} does not have`),
  ]
}
