import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { holdersOf } from '../../access/notifications/holders.ts'
import { notify } from '../../access/notifications/notify.ts'
import { liveRead } from '../../kit/agents/liveRead.ts'
import { ONLINE_S } from '../../kit/agents/online.ts'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { automatic, nextTry } from '../../kit/work/automatic.ts'
import { eachOf, failedLast } from '../../kit/work/round.ts'
import { banGuessers } from '../../machines/ipsets/guessers/ban.ts'
import { countGuesses } from '../../machines/ipsets/guessers/count.ts'
import { readSite } from '../websites/site.ts'
import { startOn } from '../websites/startWorkflow.ts'
import { ftpGuesses } from './guessers.ts'
import { userStep } from './steps.ts'
import { ftpUsers } from './tables.ts'

/** Titles of the rounds. */
const CLOSING = 'an expired FTP user could not be closed'
const READING = 'the log of an FTP server could not be read'

const AT_ONCE = 20

/**
 * Ends the sessions of expired users. The server itself refuses new sign-ins from the time of expiry. Users of a
 * website that another workflow locks are left for the next round.
 */
export async function endExpired(app: App): Promise<number> {
  const due = await rows<{ id: number; websiteId: number; domain: string }>(
    app.db,
    sql`select f.ftp_user_id as id, w.website_id as "websiteId", w.domain from ftp_users f
      join websites w on w.website_id = f.website_id and w.status in ('active', 'suspended')
      where f.expires_at <= now() and f.closed_at is null and f.deleted_at is null and f.state = 'ready'
        and coalesce(f.retry_at <= now(), true)
        and not exists (select from resource_locks l where l.resource = 'website:' || w.website_id)
      order by ${failedLast(app, CLOSING, sql`f.ftp_user_id`)}, f.expires_at limit ${AT_ONCE}`,
  )
  // one workflow at a time changes a website: a later round closes its other expired users, which are refused with 409 now
  await eachOf(app, CLOSING, due, ({ id, websiteId, domain }) =>
    app.db.transaction(async (tx) => {
      const [user] = await tx.select().from(ftpUsers).where(eq(ftpUsers.id, id)).for('update')
      if (!user || user.closedAt || user.deletedAt) return
      const plan = [userStep(await readSite(tx, websiteId), user, 'suspended')]
      const by = { id: null, name: 'Innkeeper' }
      const workflowId = await startOn(tx, { id: websiteId, domain }, 'ftp-user.change', plan, by)
      const closed = { closedAt: new Date().toISOString(), retryAt: null, workflowId }
      await tx.update(ftpUsers).set(closed).where(eq(ftpUsers.id, id))
      await changed(tx, 'ftpUsers', id)
    }),
  )
  return due.length
}

const seen = z.object({ at: z.number(), address: z.string() })
const Activity = z.object({
  logins: z.array(seen.extend({ name: z.string() })),
  guesses: z.array(seen.extend({ tries: z.int() })),
})

/** Reads last logins and failed attempts from servers that were not read in the last minute. */
export async function readActivity(app: App): Promise<number> {
  const due = await rows<{ id: number; since: number; now: number }>(
    app.db,
    sql`select f.server_id as id, extract(epoch from now())::int as now,
        extract(epoch from coalesce(f.read_until, now() - interval '1 day'))::int as since
      from ftp_servers f join server_states t on t.server_id = f.server_id
      join servers s on s.server_id = f.server_id and s.deleted_at is null
      where f.ready_at is not null and 'ftp.activity' = any(t.operations)
        and t.last_seen_at > now() - make_interval(secs => ${ONLINE_S})
        and coalesce(f.read_until < now() - interval '50 seconds', true)
      order by ${failedLast(app, READING, sql`f.server_id`)}, f.read_until nulls first limit ${AT_ONCE}`,
  )
  await eachOf(app, READING, due, (one) => readOne(app, one), { atOnce: AT_ONCE })
  return due.length
}

async function readOne(app: App, { id, since, now }: { id: number; since: number; now: number }): Promise<void> {
  const { logins, guesses } = Activity.parse(await liveRead(app, id, 'ftp.activity', { since }))
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`update ftp_users f set last_login_at = to_timestamp(m.at), last_login_from = m.address
      from jsonb_to_recordset(${JSON.stringify(logins)}::jsonb) as m(name text, at float8, address text)
      where f.server_id = ${id} and f.username = m.name and f.deleted_at is null`)
    await countGuesses(tx, ftpGuesses, id, guesses)
    await tx.execute(sql`update ftp_servers set read_until = to_timestamp(${now}) where server_id = ${id}`)
    if (logins.length || guesses.length) await changed(tx, 'ftpUsers')
  })
  if (guesses.length) await banGuessers(app, ftpGuesses, id)
}

/** Declares the workflows of this file, for domain.ts. */
export function expiryWorkflows(): void {
  automatic('ftp-user.change', async (tx, { id: workflowId }, { why, failures }) => {
    const [user] = await tx
      .update(ftpUsers)
      .set({ closedAt: null, retryAt: nextTry(failures).toISOString(), ...nextVersion })
      .where(eq(ftpUsers.workflowId, workflowId))
      .returning()
    if (!user) return
    await changed(tx, 'ftpUsers', user.id)
    if (failures > 1) return
    await notify(tx, {
      to: await holdersOf(tx, 'ftp-user:user:update'),
      reason: 'server',
      level: 'warning',
      title: `${user.username} has expired, but its open FTP sessions are not ended yet`,
      body: `${why}. Innkeeper tries again by itself, the first time in five minutes.`,
      link: `/ftp-users/edit/${user.id}`,
    })
  })
}
