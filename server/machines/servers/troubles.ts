import { type SQL, sql } from 'drizzle-orm'
import { STALE_S } from '../../kit/agents/online.ts'
import { sinceText } from '../../kit/app/sinceText.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { TroubleSource } from '../../kit/watch/trouble.ts'

/** Messages in the queue of one server. */
const MANY_WAIT = 2000

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
            and t.last_seen_at < now() - make_interval(secs => ${STALE_S}) order by name_order(s.name) limit 200`,
      )
      return found.map(({ id, name, seen }) => ({
        ...{ key: `agent ${id}`, title: `The agent of ${name} is silent`, level: 'error', link: `/server/${id}` },
        detail: `Not heard of since ${sinceText(seen)}. Its work waits.`,
      }))
    },
    isWatched: ({ db }, key) =>
      isThere(db, key, sql`s.status = 'up' and s.credential_hash is not null and s.credential_revoked_at is null`),
  },
  {
    prefix: 'mail queue ',
    async find({ db }) {
      const found = await rows<{ id: number; name: string; waiting: number; isSilent: boolean }>(
        db,
        sql`select s.server_id as id, s.name, (service->>'waiting')::int as waiting,
            t.last_seen_at <= now() - make_interval(secs => ${STALE_S}) as "isSilent"
          from servers s join server_states t on t.server_id = s.server_id, jsonb_array_elements(t.services) service
          where s.deleted_at is null and (service->>'waiting')::int >= ${MANY_WAIT}
          order by name_order(s.name) limit 200`,
      )
      return found.map(({ id, name, waiting, isSilent }) => ({
        // the queue of a silent server may be as long as before
        ...(isSilent && { isUnseen: true }),
        ...{ key: `mail queue ${id}`, title: `Mail waits on ${name}`, level: 'warning', link: `/server/${id}` },
        detail: `${waiting.toLocaleString('en-GB')} messages are in its queue. Their reasons are on the pages of its mail domains.`,
      }))
    },
    isWatched: ({ db }, key) => isThere(db, key, sql`true`),
  },
]

/** Whether the server of the fault's key exists and is so. */
async function isThere(db: Db, key: string, so: SQL): Promise<boolean> {
  const id = Number(key.split(' ').at(-1))
  return (
    (await rows(db, sql`select 1 from servers s where s.server_id = ${id} and s.deleted_at is null and ${so}`)).length >
    0
  )
}
