import { and, eq } from 'drizzle-orm'
import { chunks } from '../../kit/db/chunks.ts'
import type { Db } from '../../kit/db/db.ts'
import { dice } from '../../seed/dice.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { websites } from '../websites/tables.ts'
import { ftpUsers } from './tables.ts'

const DAY = 86_400_000
const people = ['design', 'agency', 'uploads', 'press', 'backup', 'shop', 'print']

/** Adds FTP users to one website in five. No server has them, so that nobody can sign in. */
export async function seedFtpUsers(db: Db, now = Date.parse('2026-11-21T09:00:00Z')): Promise<void> {
  const d = dice(4848)
  const found = await db
    .select({ id: websites.id, serverId: websites.serverId, account: systemUsers.username })
    .from(websites)
    .innerJoin(systemUsers, eq(systemUsers.id, websites.systemUserId))
    .where(and(eq(websites.status, 'active'), eq(websites.kind, 'main')))
    .orderBy(websites.id)
  const taken = new Set<string>()
  const wanted = found
    .filter(() => d.chance(0.2))
    .flatMap(({ id: websiteId, serverId, account }) => {
      const name = people[d.below(people.length)] ?? 'design'
      const username = `${account}_${name}`
      if (taken.has(`${serverId} ${username}`)) return []
      taken.add(`${serverId} ${username}`)
      const ago = (days: number) => new Date(now - d.below(days * 1000) * (DAY / 1000)).toISOString()
      const status = d.chance(0.06)
        ? ('suspended' as const)
        : d.chance(0.05)
          ? ('disabled' as const)
          : ('active' as const)
      return {
        ...{ username, websiteId, serverId, status, state: 'ready' as const, secret: `ftp-user:seed:${username}` },
        ...{ folder: d.chance(0.6) ? 'public' : d.chance(0.5) ? 'public/uploads' : '', passwordSetAt: ago(400) },
        ...(status === 'suspended' && { reason: 'Uploads spam' }),
        ...(d.chance(0.4) && { quotaMb: [500, 1024, 5120][d.below(3)] }),
        ...(d.chance(0.2) && { uploadKbps: 2048 }),
        ...(d.chance(0.2) && { expiresAt: new Date(now + d.below(300) * DAY).toISOString() }),
        ...(d.chance(0.7) && { lastLoginAt: ago(60), lastLoginFrom: `203.0.113.${1 + d.below(250)}` }),
      }
    })
  for (const some of chunks(wanted, 500)) await db.insert(ftpUsers).values(some)
}
