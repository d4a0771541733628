import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { and, count, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { zoneFor } from '../../dns/sites/records.ts'
import { readMailbox } from '../read.ts'
import { mailboxUsers } from '../tables.ts'

interface End {
  id: number
  name: string
  address: string | null
  up: boolean
  mail: boolean
  able: boolean
  online: boolean
  free: number | null
}

/**
 * Findings about a move of a mail domain, from Innkeeper's database. 404 if the domain or the server does not exist.
 */
export async function moveFindings({ db, staff }: Pick<Context, 'db' | 'staff'>, id: number, serverId: number) {
  const mailbox = await readMailbox(db, id)
  const ends = await rows<End>(
    db,
    sql`select s.server_id as id, s.name, s.address, s.status = 'up' as up, 'dovecot' = any(y.services) as mail,
        coalesce('mail-folder.pull' = any(t.operations), false) as able,
        coalesce(t.last_seen_at > now() - make_interval(secs => ${ONLINE_S}), false) as online,
        (t.disk_total - t.disk_used)::float8 as free
      from servers s join server_types y on y.name = s.type left join server_states t on t.server_id = s.server_id
      where s.server_id in (${mailbox.serverId}, ${serverId}) and s.deleted_at is null`,
  )
  const target = ends.find((one) => one.id === serverId)
  if (!target) throw notFound('server', serverId)
  const findings: Finding[] = []
  const add = (key: string, title: string, level: Finding['level'], text: string) =>
    findings.push({ key, title, level, text })
  if (serverId === mailbox.serverId)
    add('server', 'Server', 'blocker', `${mailbox.domain} is already on ${target.name}`)
  else if (!target.mail || !target.up)
    add('server', 'Server', 'blocker', `${target.name} ${target.mail ? 'is set down' : 'is no mail server'}`)
  for (const { name, online, able, address } of ends) {
    if (!online) add('agent', 'Agent', 'warning', `The agent of ${name} does not answer now: the move waits for it`)
    else if (!able) add('agent', 'Agent', 'blocker', `The agent of ${name} is too old to move mail: update it`)
    if (!address) add('agent', 'Agent', 'blocker', `The address of ${name} is not known`)
  }
  if (mailbox.move) add('move', 'Move', 'blocker', `${mailbox.domain} is already being moved to ${mailbox.move.toName}`)
  if (mailbox.state !== 'applied')
    add('state', 'State', 'blocker', `${mailbox.domain} is ${mailbox.state}: its server must have the latest change`)
  const bytes = mailbox.usedMb * 1_048_576
  if (target.free !== null)
    add(
      ...(['space', 'Space', target.free > bytes * 1.1 ? 'ok' : 'blocker'] as const),
      `${mailbox.usedMb} MB of mail, and ${Math.floor(target.free / 1_048_576)} MB free on ${target.name}`,
    )
  const [left] = await db
    .select({ n: count() })
    .from(mailboxUsers)
    .where(
      and(
        eq(mailboxUsers.mailboxId, id),
        isNotNull(mailboxUsers.deletedAt),
        eq(mailboxUsers.deletedWithDomain, false),
        gt(mailboxUsers.purgeAfter, sql`now()`),
      ),
    )
  if (left?.n)
    add(
      'trash',
      'Trash',
      'warning',
      `${left.n} deleted mailboxes stay behind: their mail cannot be restored afterwards`,
    )
  const zone = await zoneFor(db, `mail.${mailbox.domain}`, staff)
  if (zone)
    add('dns', 'DNS', 'ok', `mail.${mailbox.domain} in Innkeeper's zone ${zone.domain} will point to ${target.name}`)
  else
    add(
      'dns',
      'DNS',
      'warning',
      `Point mail.${mailbox.domain} to ${target.address ?? target.name} in its zone, which is not in Innkeeper`,
    )
  return findings
}
