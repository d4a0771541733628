import type { RestorePreview } from '@innkeeper/contract/recovery/backups/shapes'
import { sql } from 'drizzle-orm'
import { offlineBefore } from '../../../kit/agents/online.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { storedBackup } from '../runs/view.ts'
import { awayText } from './keep.ts'

export type Backup = Awaited<ReturnType<typeof storedBackup>>

export type Previewed = RestorePreview['mail'][number]

interface Now {
  id: number
  domain: string
  websiteId: number | null
  website: string | null
  state: string
  serverId: number
  serverName: string
  seen: string | null
  away: boolean
  able: boolean
  /** Where it is moving to. */
  moving: string | null
  users: { id: number; localPart: string }[]
}

interface Found extends Previewed {
  snapshot: string
  now: Now | undefined
}
/**
 * Mail is restored into its own mail domain, on the present server of the domain. The domain must belong to the website
 * that receives the restore. A mailbox is found by its id, or by its address if it was deleted and created again.
 */
export async function mailIn(db: Db, backup: Backup, websiteId: number): Promise<Found[]> {
  const parts = backup.parts.filter(({ resource, snapshot }) => resource === 'mail' && snapshot)
  if (!parts.length) return []
  const all = await liveDomains(
    db,
    parts.map(({ resourceId }) => resourceId),
    parts.map(({ name }) => name),
  )
  return parts.map(({ resourceId: id, name: domain, snapshot, bytes, mailboxes }) => {
    const now = all.find((one) => one.id === id) ?? all.find((one) => one.domain === domain)
    const then =
      mailboxes ??
      (now?.id === id ? now.users : []).map(({ id: userId, localPart }) => ({
        userId,
        localPart,
        messages: 0,
        bytes: 0,
      }))
    return {
      ...{ id, domain, bytes, snapshot: snapshot ?? '', now },
      serverName: now?.serverName ?? null,
      listed: mailboxes !== undefined,
      closed: closedBy(domain, now, websiteId),
      mailboxes: then.map(({ userId, localPart, ...counts }) => ({
        ...{ id: userId, address: `${localPart}@${domain}`, ...counts },
        into:
          (now?.id === id ? now.users.find((one) => one.id === userId) : undefined)?.id ??
          now?.users.find((one) => one.localPart === localPart)?.id ??
          null,
      })),
    }
  })
}
function closedBy(domain: string, now: Now | undefined, websiteId: number): string | null {
  if (!now) return `There is no mail domain ${domain} now: create it with its mailboxes, then restore the mail`
  if (now.websiteId !== websiteId)
    return `${domain} belongs to ${now.website ?? 'no website'}: its mail is restored with that`
  if (now.state === 'deleting') return `${domain} is being deleted`
  if (now.moving) return `${domain} is moving to ${now.moving}: restore its mail afterwards`
  const away = awayText(now.serverName, now)
  return away && away[0]?.toUpperCase() + away.slice(1)
}
const liveDomains = (db: Db, ids: number[], domains: string[]) =>
  rows<Now>(
    db,
    sql`select m.mailbox_id as id, m.domain, m.website_id as "websiteId", w.domain as website, m.state,
        s.server_id as "serverId", s.name as "serverName", t.last_seen_at as seen,
        coalesce(t.last_seen_at < ${offlineBefore}, true) as away,
        coalesce('restore-mail.merge' = any(t.operations), false) as able,
        (select n.name from mail_moves v join servers n on n.server_id = v.target_id
          where v.mailbox_id = m.mailbox_id and v.state in ('moving', 'failed') limit 1) as moving,
        (select coalesce(jsonb_agg(jsonb_build_object('id', u.mailbox_user_id, 'localPart', u.local_part)
          order by u.address), '[]') from mailbox_users u where u.mailbox_id = m.mailbox_id and u.deleted_at is null) as users
      from mailboxes m join servers s on s.server_id = m.server_id left join server_states t on t.server_id = s.server_id
      left join websites w on w.website_id = m.website_id
      where m.deleted_at is null and (m.mailbox_id in ${ids} or m.domain in ${domains})`,
  )
