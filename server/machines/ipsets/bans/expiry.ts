import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'

const AT_ONCE = 1000

/**
 * Marks expired bans as ended. Nothing is published: servers know the expiry and lift the ban on their own, even while
 * Innkeeper is not running.
 */
export async function endExpired({ db }: App): Promise<void> {
  for (let ended = AT_ONCE; ended === AT_ONCE; )
    ended = await db.transaction(async (tx) => {
      // locks the row of the set first, in the same order as a new ban
      const [due] = await rows<{ id: number }>(
        tx,
        sql`select ip_set_id as id from ip_sets where ip_set_id = (select set_id from bans
          where ended_at is null and expires_at <= now() order by expires_at limit 1) for update skip locked`,
      )
      if (!due) return 0
      const gone = await rows(
        tx,
        sql`update bans set ended_at = expires_at, ended_by = 'its end', version = version + 1 where ban_id in (
            select ban_id from bans where set_id = ${due.id} and ended_at is null and expires_at <= now() limit ${AT_ONCE})
          returning ban_id`,
      )
      await tx.execute(sql`update ip_sets set bans = bans - ${gone.length}::int where ip_set_id = ${due.id}`)
      await changed(tx, 'ipsets', due.id)
      return AT_ONCE // other sets may have expired bans as well
    })
}

const KEPT_DAYS = 180

/** Deletes ended bans after KEPT_DAYS, except those whose end has not reached every server yet. */
export async function deleteEnded({ db }: App): Promise<void> {
  await db.execute(sql`delete from bans where ban_id in (select b.ban_id from bans b
    where b.ended_at < now() - make_interval(days => ${sql.raw(String(KEPT_DAYS))}) and not exists (
      select from ip_set_servers t where t.set_id = b.set_id and t.applied < b.ended_change) limit 10000)`)
}
