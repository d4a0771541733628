import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { notify } from '../../../access/notifications/notify.ts'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { limitsOn, markOf, together, usual } from './limits.ts'

/** Title of the round. */
const ROUND = 'the senders of a mail server could not be read'

const EVERY_S = 18
const AT_ONCE = 20
const Answer = z.object({
  mark: z.string(),
  senders: z.array(
    z.object({
      sender: z.string(),
      hour: z.int(),
      day: z.int(),
      refused: z.int(),
      stopped: z.object({ at: z.string(), tried: z.int() }).optional(),
    }),
  ),
})
type Senders = z.output<typeof Answer>['senders']

/** Reads who sends from the mail servers that were not read lately, and brings them the limits of the plans. */
export async function readSenders(app: App): Promise<number> {
  const due = await rows<{ id: number }>(
    app.db,
    sql`select t.server_id as id from server_states t
      join servers s on s.server_id = t.server_id and s.deleted_at is null
      left join mail_sender_reads r on r.server_id = t.server_id
      where 'mail-senders.read' = any(t.operations) and t.last_seen_at > now() - make_interval(secs => ${ONLINE_S})
        and coalesce(r.read_at < now() - make_interval(secs => ${EVERY_S}), true)
        and exists (select from jsonb_array_elements(t.services) e where e ->> 'name' = 'postfix' and e ->> 'state' = 'active')
      order by ${failedLast(app, ROUND, sql`t.server_id`)}, r.read_at nulls first limit ${AT_ONCE}`,
  )
  await eachOf(app, ROUND, due, ({ id }) => readOne(app, id), {
    atOnce: AT_ONCE,
  })
  return due.length
}

async function readOne(app: App, serverId: number): Promise<void> {
  const { mark, senders } = Answer.parse(await liveRead(app, serverId, 'mail-senders.read', {}))
  const limits = await limitsOn(app.db, serverId)
  if (markOf(limits) !== mark) await liveRead(app, serverId, 'mail-limits.ensure', limits)
  const toHold = await app.db.transaction((tx) => keep(tx, serverId, senders))
  for (const { id, sender } of toHold) {
    await liveRead(app, serverId, 'mail-sender.act', { sender, act: 'hold' })
    await app.db.execute(
      sql`update mail_senders set held_at = now() where mail_sender_id = ${id} and stopped_at is not null`,
    )
  }
}

/** Stores the senders of a server and tells people of new stops and reached limits. Answers stopped senders without hold. */
async function keep(tx: Db, serverId: number, senders: Senders): Promise<{ id: number; sender: string }[]> {
  const given = JSON.stringify(
    senders.map(({ stopped, ...one }) => ({ ...one, at: stopped?.at, tried: stopped?.tried ?? 0 })),
  )
  const gone = await rows(
    tx,
    sql`delete from mail_senders where server_id = ${serverId}
      and sender not in (select f.sender from jsonb_to_recordset(${given}::jsonb) as f(sender text)) returning 1`,
  )
  const kept = await rows<Told>(
    tx,
    sql`with former as (select sender, stopped_at from mail_senders where server_id = ${serverId}),
      now_there as (insert into mail_senders as m (server_id, sender, mailbox_user_id, system_user_id, hour, day, refused, stopped_at, tried)
        select ${serverId}, f.sender, u.mailbox_user_id, y.system_user_id, f.hour, f.day, f.refused, f.at, f.tried
        from jsonb_to_recordset(${given}::jsonb) as f(sender text, hour int, day int, refused int, at timestamptz, tried int)
          left join mailbox_users u on u.address = f.sender and u.deleted_at is null
          left join system_users y on y.username = f.sender and y.server_id = ${serverId} and y.deleted_at is null
        on conflict (server_id, sender) do update set mailbox_user_id = excluded.mailbox_user_id,
          system_user_id = excluded.system_user_id, hour = excluded.hour, day = excluded.day, refused = excluded.refused,
          stopped_at = excluded.stopped_at, tried = excluded.tried,
          held_at = case when excluded.stopped_at = m.stopped_at then m.held_at end
        returning *)
      select n.mail_sender_id as id, n.sender, n.hour, n.tried, s.name as "serverName",
        coalesce(${limitOf('n')}, ${usual.own}) as most, n.stopped_at is not null as "isStopped", n.held_at is null as "isLoose",
        n.stopped_at is not null and f.stopped_at is null as "isNew",
        coalesce(n.told_at < now() - interval '1 day', true) as "isUntold"
      from now_there n join servers s on s.server_id = n.server_id left join former f on f.sender = n.sender`,
  )
  await tx.execute(sql`insert into mail_sender_reads (server_id, read_at) values (${serverId}, now())
    on conflict (server_id) do update set read_at = now()`)
  for (const one of kept.filter(({ isNew }) => isNew)) await notifyStop(tx, one)
  const reached = kept.filter((one) => !one.isStopped && one.isUntold && one.hour >= one.most)
  for (const one of reached) await notifyReached(tx, one)
  if (kept.length || gone.length) await changed(tx, 'mailboxes')
  return kept.filter(({ isStopped, isLoose }) => isStopped && isLoose)
}

interface Told {
  id: number
  sender: string
  hour: number
  tried: number
  serverName: string
  most: number
  isStopped: boolean
  isLoose: boolean
  isNew: boolean
  isUntold: boolean
}

/**
 * Recipients an hour of the sender in a row of `mail_senders`: its own or those of its plan, or those of its account when
 * they are fewer; null: unknown.
 */
export const limitOf = (
  row: string,
) => sql`(select least(coalesce(u.hourly_limit, p.mail_hourly, ${usual.own}), ${together}) from mailbox_users u
    join mailboxes m on m.mailbox_id = u.mailbox_id left join websites w on w.website_id = m.website_id
    left join system_users y on y.system_user_id = w.system_user_id left join plans p on p.plan_id = y.plan_id
    where u.mailbox_user_id = ${sql.raw(row)}.mailbox_user_id
  union all select p.mail_hourly from system_users y join plans p on p.plan_id = y.plan_id
    where y.system_user_id = ${sql.raw(row)}.system_user_id limit 1)`

const people = (tx: Db) => holdersOf(tx, 'mailbox:queue:update')
const link = '/mailboxes/senders'

const notifyStop = async (tx: Db, { sender, serverName, tried, most }: Told) =>
  notify(tx, {
    to: await people(tx),
    reason: 'server',
    level: 'warning',
    title: `${sender} was stopped: too much outgoing mail`,
    body: `It tried to write to ${tried} recipients within an hour; ${most} are allowed. ${serverName} refuses its mail and holds what is queued, until somebody lifts the stop.`,
    link,
  })

async function notifyReached(tx: Db, { id, sender, serverName, hour, most }: Told): Promise<void> {
  await tx.execute(sql`update mail_senders set told_at = now() where mail_sender_id = ${id}`)
  await notify(tx, {
    to: await people(tx),
    reason: 'server',
    level: 'info',
    title: `${sender} reached its limit of outgoing mail`,
    body: `It wrote to ${hour} recipients within an hour; ${most} are allowed. ${serverName} asks it to try again later, and stops it if it goes on.`,
    link,
  })
}
