import { sql } from 'drizzle-orm'
import { STALE_S } from '../../kit/agents/online.ts'
import { sinceText } from '../../kit/app/sinceText.ts'
import { rows } from '../../kit/db/db.ts'
import type { TroubleSource } from '../../kit/watch/trouble.ts'

/** Agents that are not heard of; noticeSilence notifies the people who manage servers. */
export const agentTroubles: readonly TroubleSource[] = [
  {
    prefix: 'agent ',
    isTold: true,
    async find({ db }) {
      const found = await rows<{ id: number; name: string; seen: string }>(
        db,
        sql`select s.server_id as id, s.name, t.last_seen_at as seen from servers s join server_states t on t.server_id = s.server_id
          where s.status = 'up' and s.deleted_at is null and s.credential_hash is not null and s.credential_revoked_at is null
            and t.last_seen_at < now() - make_interval(secs => ${STALE_S}) order by s.name limit 200`,
      )
      return found.map(({ id, name, seen }) => ({
        ...{ key: `agent ${id}`, title: `The agent of ${name} is silent`, level: 'error', link: `/server/${id}` },
        detail: `Not heard of since ${sinceText(seen)}. Its work waits.`,
      }))
    },
  },
]
