import type { WantedMail } from '@innkeeper/contract/backups/mailShapes'
import type { RestorePreview } from '@innkeeper/contract/backups/shapes'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { offlineBefore } from '../../kit/agents/online.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import { type PlanStep, step } from '../../kit/work/action.ts'
import { mailMerge, mailPrepare } from '../actions.ts'
import { type Access, remoteOf, withProgram } from '../repositories/access.ts'
import type { storedBackup } from '../runs/view.ts'
import { awayText } from './keep.ts'

type Backup = Awaited<ReturnType<typeof storedBackup>>
type Previewed = RestorePreview['mail'][number]

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
 * Mail goes back into its own mail domain, wherever that is now. It has to be of the website that receives the restore.
 * A mailbox is found by its id, and one that was made anew by its address.
 */
async function mailIn(db: Db, backup: Backup, websiteId: number): Promise<Found[]> {
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

/** Mail of a backup beside the mailboxes that would receive it. */
export const mailPreview = async (db: Db, backup: Backup, websiteId: number): Promise<Previewed[]> =>
  (await mailIn(db, backup, websiteId)).map(({ snapshot: _, now: __, ...shown }) => shown)

export interface BringingMail {
  /** Before the website is closed: nothing has changed if this fails. */
  prepare: PlanStep[]
  merge: PlanStep[]
  locks: string[]
  domains: { id: number; domain: string }[]
  /** Addresses without a mailbox. */
  gone: string[]
}
export const noMail: BringingMail = { prepare: [], merge: [], locks: [], domains: [], gone: [] }

/** Steps that bring chosen mail back. Refuses what the backup lacks, and what cannot come back. */
export async function bringMail(
  db: Db,
  backup: Backup,
  access: Access,
  { restoreId, websiteId, mail = [] }: { restoreId: number; websiteId: number; mail?: WantedMail | undefined },
): Promise<BringingMail> {
  const refuse = (why: string) => refused(why, { mail: why })
  if (!mail.length) return noMail
  const all = await mailIn(db, backup, websiteId)
  const made: BringingMail = { prepare: [], merge: [], locks: [], domains: [], gone: [] }
  const programs = new Set<number>()
  for (const { mailboxId, users } of mail) {
    const found = all.find(({ id }) => id === mailboxId)
    if (!found) throw refuse(`Mail domain ${mailboxId} is not in this backup`)
    const { now, closed, domain } = found
    if (closed || !now) throw refuse(closed ?? `There is no mail domain ${domain} now`)
    const strange = users?.find((id) => !found.mailboxes.some((one) => one.id === id))
    if (strange !== undefined) throw refuse(`Mailbox ${strange} of ${domain} is not in this backup`)
    const chosen = found.mailboxes.filter(({ id }) => !users || users.includes(id))
    const coming = chosen.flatMap(({ id, into }) => (into === null ? [] : { from: id, userId: into }))
    const gone = chosen.flatMap(({ into, address }) => (into === null ? address : []))
    if (!coming.length) {
      const names = gone.slice(0, 5).join(', ')
      throw refuse(
        names
          ? `${names} was deleted: create it again, or bring it back from the deleted mailboxes, then restore its mail`
          : `${domain} has no mailbox`,
      )
    }
    made.gone.push(...gone)
    made.domains.push({ id: now.id, domain: now.domain })
    made.locks.push(`mailbox:${now.id}`)
    const on = { server: now.serverId, resource: { type: 'restored-mail', id: now.id, name: now.domain } }
    const common = { restore: restoreId, mailboxId: now.id, domain: now.domain, users: coming }
    const known = found.listed ? chosen.reduce((sum, { bytes }) => sum + bytes, 0) : found.bytes
    if (!programs.has(now.serverId)) made.prepare.push(withProgram({ id: now.serverId, name: now.serverName }))
    programs.add(now.serverId)
    made.prepare.push(step(mailPrepare, { ...remoteOf(access), ...common, snapshot: found.snapshot, bytes: known }, on))
    made.merge.push(step(mailMerge, common, on))
  }
  return made
}

const Merged = z.object({ messages: z.int(), present: z.int(), left: z.int() })
/** What a server answered about the mail of a domain, in words. */
export function mergedText(output: unknown): { message: string; partial: boolean } | undefined {
  const found = Merged.safeParse(output).data
  if (!found) return undefined
  const { messages, present, left } = found
  const lost = left ? `; ${left} files have names that no mail server makes: they are left out` : ''
  return { message: `${messages} messages came back, ${present} were there${lost}`, partial: left > 0 }
}
