import { createHash } from 'node:crypto'
import { planDefaults } from '@innkeeper/contract/hosting/plans'
import { limitLines, type MailLimits } from '@innkeeper/contract/net/mailboxes/mailLimits'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'

/** What a mailbox without an account may send. */
export const usual = { own: planDefaults.mailHourly, together: planDefaults.mailTogether }

/** The usual limits of the accounts that are on a server, or whose mail is there, from their plans; and owners. */
export async function limitsOn(db: Db, serverId: number): Promise<MailLimits> {
  const found = await rows<{
    accountId: number
    username: string | null
    ownerId: number
    own: number
    together: number
  }>(
    db,
    sql`select u.system_user_id as "accountId", u.owner_id as "ownerId", case when u.server_id = ${serverId} then u.username end as username,
        p.mail_hourly as own, p.mail_together as together
      from system_users u join plans p on p.plan_id = u.plan_id
      where u.deleted_at is null and (u.server_id = ${serverId} or u.system_user_id in (
        select w.system_user_id from mailboxes m join websites w on w.website_id = m.website_id
        where m.server_id = ${serverId} and m.deleted_at is null))
      order by u.system_user_id limit 20000`,
  )
  return {
    accounts: found.map(({ username, ...one }) => ({ ...one, ...(username && { username }) })),
    others: usual,
    domains: await ownedOn(db, serverId),
  }
}

/**
 * The mail domains that a server has, or passes on, with their owners, and those of other servers whose owner is known: no program
 * sends as a domain of somebody else, wherever the mailboxes are. The owner of a mail domain without a website is that of the website
 * of the same name, if there is one.
 */
async function ownedOn(db: Db, serverId: number): Promise<NonNullable<MailLimits['domains']>> {
  const found = await rows<{ domain: string; ownerId: number | null }>(
    db,
    sql`select m.domain, u.owner_id as "ownerId" from mailboxes m
      left join websites w on w.website_id = coalesce(m.website_id, (
        select n.website_id from websites n where n.domain = m.domain and n.deleted_at is null))
      left join system_users u on u.system_user_id = w.system_user_id
      cross join lateral (select m.server_id = ${serverId} or m.mailbox_id in (
        select v.mailbox_id from mail_moves v
        where ${serverId} in (v.source_id, v.target_id) and v.state not in ('done', 'rolled-back')) as here) as at
      where m.deleted_at is null and (at.here or u.owner_id is not null)
      order by at.here desc, m.domain limit 20000`,
  )
  return found.map(({ domain, ownerId }) => ({ domain, ...(ownerId && { ownerId }) }))
}

/**
 * Recipients an hour of all senders together, for the mail domain `m` with its website's account's plan `p`: the limit of
 * the domain, or the plan's. The lower of this limit and a mailbox's own rules.
 */
export const together = sql`coalesce(m.hourly_limit, p.mail_together, ${usual.together}::int)`

/** 422 beside the field for a limit of a mailbox above that of all senders of its account, which would go on to rule. */
export async function refuseAboveAccount(db: Db, mailboxId: number, limit: number): Promise<void> {
  const [found] = await rows<{ most: number; username: string | null }>(
    db,
    sql`select ${together} as most, u.username
      from mailboxes m left join websites w on w.website_id = m.website_id
        left join system_users u on u.system_user_id = w.system_user_id
        left join plans p on p.plan_id = u.plan_id
      where m.mailbox_id = ${mailboxId}`,
  )
  if (!found || limit <= found.most) return
  const whose = found.username ? `The account ${found.username}` : 'The mail domain'
  throw refused(
    `${whose} may write to ${found.most} recipients an hour in all: raise the limit of the mail domain first`,
    {
      hourlyLimit: `At most ${found.most}, the limit of the mail domain`,
    },
  )
}

/** The mark of a server that has these limits. */
export const markOf = (limits: MailLimits): string => createHash('sha256').update(limitLines(limits)).digest('hex')
