import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { collect, type Due, HELD_MS } from './collect.ts'

const AT_ONCE = 4
/** Seconds within which new servers are collected for the first time. */
const FIRST_S = 600

/** Collects servers that are due: at night, or on request. */
export async function collectDue(app: App): Promise<void> {
  await watchNew(app.db)
  for (;;) {
    const due = await claimDue(app.db)
    await Promise.all(due.map((one) => collect(app, one)))
    if (due.length < AT_ONCE) return
  }
}

const watchNew = (db: Db) =>
  db.execute(sql`insert into config_servers (server_id, next_at)
    select s.server_id, now() + make_interval(secs => random() * ${FIRST_S}) from servers s
    where s.deleted_at is null and s.credential_hash is not null
      and not exists (select from config_servers c where c.server_id = s.server_id)
    on conflict do nothing`)

const claimDue = (db: Db): Promise<Due[]> =>
  rows(
    db,
    sql`update config_servers c set held_until = now() + make_interval(secs => ${HELD_MS / 1000}) from servers s
      where s.server_id = c.server_id and c.server_id in (
        select c.server_id from config_servers c join servers s on s.server_id = c.server_id
        where c.next_at <= now() and coalesce(c.held_until, 'epoch') < now() and s.deleted_at is null
        order by c.next_at limit ${AT_ONCE} for update of c skip locked)
      returning c.server_id as id, s.name, c.trigger, c.asked_by as "askedBy"`,
  )

/** Requests a collection of these servers now. Returns the number of servers found. */
export async function askFor(
  tx: Db,
  by: { trigger: 'demand' | 'reset'; name: string },
  serverIds: readonly number[] | undefined,
): Promise<number> {
  const asked = await rows(
    tx,
    sql`insert into config_servers (server_id, next_at, trigger, asked_by)
      select s.server_id, now(), ${by.trigger}, ${by.name} from servers s
      where s.deleted_at is null and s.credential_hash is not null
        and (${serverIds === undefined} or s.server_id = any(${sql.param([...(serverIds ?? [])])}::int[]))
      on conflict (server_id) do update set next_at = now(), trigger = excluded.trigger, asked_by = excluded.asked_by
      returning server_id`,
  )
  return asked.length
}
