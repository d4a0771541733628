import { and, eq, ne } from 'drizzle-orm'
import { websites } from '../../hosting/websites/tables.ts'
import { chunks } from '../../kit/db/chunks.ts'
import type { Db } from '../../kit/db/db.ts'
import { servers } from '../../machines/servers/tables.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import { mailAliases, mailboxes, mailboxUsers, mailMoves } from './tables.ts'

const DAY = 86_400_000
const MIB = 1_048_576
const people = ['anna', 'erik', 'ingrid', 'jonas', 'kari', 'lars', 'maria', 'nils', 'petra', 'tomas'] as const
const desks = ['post', 'info', 'orders', 'booking', 'accounts'] as const

/** Adds a mail domain to one website in eight, on a mail server that does not exist, so that nobody can sign in. */
export async function seedMailboxes(db: Db, now = Date.parse('2026-11-21T09:00:00Z')): Promise<void> {
  const d = dice(2525)
  const [server] = await db.select({ id: servers.id }).from(servers).where(eq(servers.type, 'mail')).limit(1)
  if (!server) return
  const found = await db
    .select({ id: websites.id, domain: websites.domain })
    .from(websites)
    .where(and(eq(websites.status, 'active'), eq(websites.kind, 'main')))
    .orderBy(websites.id)
  const wanted = found
    .filter(() => d.chance(0.125))
    .map(({ id: websiteId, domain }) => ({
      ...{ domain, websiteId, serverId: server.id, state: 'applied' as const, ...dated(d, now) },
      ...(d.chance(0.3) && { catchAll: `post@${domain}` }),
      ...(d.chance(0.04) && { status: 'disabled' as const, reason: 'Ordered by the owner' }),
    }))
  for (const some of chunks(wanted, 200)) {
    const made = await db.insert(mailboxes).values(some).returning()
    await db.insert(mailboxUsers).values(made.flatMap((mailbox) => usersOf(d, now, mailbox)))
    await db.insert(mailAliases).values(
      made.map(({ id: mailboxId, domain }) => ({
        ...{ mailboxId, localPart: 'webmaster', address: `webmaster@${domain}`, targets: [`post@${domain}`] },
      })),
    )
  }
  await seedMove(db, server.id, now)
}

/** A mail domain in a move: its former mail server still forwards mail. */
async function seedMove(db: Db, targetId: number, now: number): Promise<void> {
  const [source] = await db
    .select({ id: servers.id })
    .from(servers)
    .where(and(eq(servers.type, 'mail'), ne(servers.id, targetId)))
    .limit(1)
  const [mailbox] = await db.select({ id: mailboxes.id }).from(mailboxes).orderBy(mailboxes.id).limit(1)
  if (!source || !mailbox) return
  const movedAt = new Date(now - DAY).toISOString()
  await db.insert(mailMoves).values({
    ...{ mailboxId: mailbox.id, sourceId: source.id, targetId, state: 'passing' as const, movedAt },
    waitsFor: '3 messages wait on the former server',
  })
}

function usersOf(d: Dice, now: number, { id: mailboxId, domain }: { id: number; domain: string }) {
  const locals = [
    'post',
    ...d.pick([desks.slice(1, 2), desks.slice(1, 4), []]),
    ...people.slice(d.below(5), 5 + d.below(5)),
  ]
  return locals.map((localPart) => {
    const quotaMb = d.pick([1024, 2048, 5120, 10_240] as const)
    const away = d.chance(0.05)
    return {
      ...{ mailboxId, localPart, address: `${localPart}@${domain}`, quotaMb, ...dated(d, now) },
      ...{
        name: (people as readonly string[]).includes(localPart)
          ? `${localPart[0]?.toUpperCase()}${localPart.slice(1)}`
          : '',
      },
      ...{ passwordSetAt: new Date(now - d.below(400) * DAY).toISOString(), usedSeenAt: new Date(now).toISOString() },
      ...{ used: Math.floor((quotaMb * MIB * d.below(d.chance(0.05) ? 1000 : 600)) / 1000), messages: d.below(20_000) },
      ...(d.chance(0.03) && { status: 'receive-only' as const, reason: 'Sent spam after its password was guessed' }),
      ...(d.chance(0.06) && { forwards: [`${localPart}@elsewhere.example`] }),
      ...(away && { autoReply: { subject: 'Away', text: 'Back on Monday. Orders go to post.', until: '2026-12-04' } }),
    }
  })
}

function dated(d: Dice, now: number) {
  const at = new Date(now - d.below(600) * DAY).toISOString()
  return { createdAt: at, updatedAt: at }
}
