import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/** What a backup server would lose if it were removed, in words: repositories with backups, or only its service. */
export async function storedBackups(db: Db, serverId: number): Promise<string[]> {
  const [found] = await rows<{ servers: number; repositories: number; backups: number }>(
    db,
    sql`select count(distinct b.backup_server_id)::int as servers, count(distinct r.backup_repository_id)::int as repositories,
        count(k.backup_id)::int as backups
      from backup_servers b
      left join backup_repositories r on r.backup_server_id = b.backup_server_id and r.deleted_at is null
      left join backups k on k.backup_repository_id = r.backup_repository_id and k.deleted_at is null
      where b.server_id = ${serverId} and b.deleted_at is null`,
  )
  if (!found?.servers) return []
  const words = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
  if (!found.repositories) return ['a backup service']
  return [
    `${words(found.repositories, 'backup repository', 'backup repositories')} with ${words(found.backups, 'backup', 'backups')}`,
  ]
}
