import { sql } from 'drizzle-orm'
import { offlineBefore } from '../../../kit/agents/online.ts'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'

interface Machine {
  name: string
  seen: string | null
  isSilent: boolean
}

/** What a restore waits for before its first step: the server of the website, and the backup server with its services. */
export async function obstaclesOf(db: Db, serverId: number, repositoryId: number): Promise<string[]> {
  const silent = sql`coalesce(t.last_seen_at < ${offlineBefore}, true) as "isSilent"`
  const [web] = await rows<Machine>(
    db,
    sql`select s.name, t.last_seen_at as seen, ${silent} from servers s
      left join server_states t on t.server_id = s.server_id where s.server_id = ${serverId}`,
  )
  const [store] = await rows<Machine & { id: number; status: string }>(
    db,
    sql`select s.server_id as id, s.name, b.status, t.last_seen_at as seen, ${silent} from backup_repositories r
      join backup_servers b on b.backup_server_id = r.backup_server_id join servers s on s.server_id = b.server_id
      left join server_states t on t.server_id = s.server_id where r.backup_repository_id = ${repositoryId}`,
  )
  return [
    ...(web?.isSilent ? [`The restore waits for ${web.name}: ${unheard(web)}`] : []),
    ...(store && store.status !== 'ready'
      ? [`The restore waits for ${store.name}: the backup server is not prepared`]
      : []),
    ...(store?.isSilent && store.id !== serverId ? [`The restore waits for ${store.name}: ${unheard(store)}`] : []),
  ]
}

const unheard = ({ seen }: Machine): string =>
  seen ? `its agent is not heard of since ${sinceText(isoOf(seen))}` : 'its agent was never heard of'
