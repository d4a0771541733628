import { and, eq } from 'drizzle-orm'
import { baseName, firstFree } from '../hosting/databases/names.ts'
import { chunks } from '../kit/db/chunks.ts'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

const MB = 1_048_576
const HOUR = 3_600_000

/**
 * Adds a database to three websites in four, and two to some. Their passwords are invalid, because no server has these
 * databases. Answers the number of databases.
 */
export async function seedDatabases(db: Db, d: Dice, now: number): Promise<number> {
  const websites = await db
    .select()
    .from(tables.websites)
    .where(and(eq(tables.websites.status, 'active'), eq(tables.websites.kind, 'main')))
    .orderBy(tables.websites.id)
  const taken = new Map<number, Set<string>>()
  const made: (typeof tables.databases.$inferInsert)[] = []
  for (const { id: websiteId, domain, serverId, createdAt } of websites.filter(() => d.chance(0.75))) {
    const names = taken.get(serverId) ?? new Set()
    taken.set(serverId, names)
    for (let n = d.chance(0.1) ? 2 : 1; n > 0; n--) {
      const name = firstFree(baseName(domain, 32), names)
      names.add(name)
      const old = d.chance(0.05)
      made.push({
        ...{ name, websiteId, serverId, createdAt, updatedAt: createdAt, status: 'active' },
        ...(old && { charset: 'latin1', collation: 'latin1_swedish_ci' }),
        size: (1 + d.below(d.chance(0.1) ? 4000 : 220)) * MB,
        sizeSeenAt: new Date(now - d.below(72) * HOUR).toISOString(),
      })
    }
  }
  for (const some of chunks(made, 500)) await keep(db, some)
  await keepReplacements(db, now)
  return made.length
}

/** Adds replacements of texts for some websites; one of them can no longer be reverted. */
async function keepReplacements(db: Db, now: number): Promise<void> {
  const found = await db
    .select({ id: tables.databases.id, name: tables.databases.name, site: tables.websites })
    .from(tables.databases)
    .innerJoin(tables.websites, eq(tables.websites.id, tables.databases.websiteId))
    .orderBy(tables.databases.id)
    .limit(6)
  if (!found.length) return
  await db.insert(tables.databaseReplacements).values(
    found.map(({ id, name, site }, i) => ({
      ...{ websiteId: site.id, serverId: site.serverId, staffName: 'Innkeeper' },
      ...{
        from: `http://${site.domain}`,
        to: `https://${site.domain}`,
        how: 'text' as const,
        status: 'replaced' as const,
      },
      databases: [
        {
          ...{ id, name, tables: null },
          result: {
            ...{ values: 40 + i, count: 61 + i, changed: 40 + i },
            columns: [{ table: 'wp_posts', column: 'post_content', values: 40 + i, count: 61 + i }],
            left: [{ table: 'wp_posts', column: 'guid', why: 'too long' as const, values: 1 + i }],
          },
        },
      ],
      keptUntil: new Date(now + (i - 1) * 7 * 24 * HOUR).toISOString(),
      createdAt: new Date(now - (2 + i) * HOUR).toISOString(),
    })),
  )
}

/** Inserts databases, each with an account of the same name. */
async function keep(db: Db, wanted: (typeof tables.databases.$inferInsert)[]): Promise<void> {
  const databases = await db.insert(tables.databases).values(wanted).returning()
  const users = await db
    .insert(tables.databaseUsers)
    .values(
      databases.map(({ name, websiteId, serverId, createdAt, updatedAt }) => ({
        ...{ username: name, websiteId, serverId, createdAt, updatedAt },
        secret: `database-user:seed:${name}`,
      })),
    )
    .returning()
  const byName = new Map(users.map((user) => [`${user.serverId} ${user.username}`, user.id]))
  const grants = databases.flatMap(({ id, name, serverId }) => {
    const databaseUserId = byName.get(`${serverId} ${name}`)
    return databaseUserId === undefined ? [] : { databaseId: id, databaseUserId }
  })
  await db.insert(tables.databaseGrants).values(grants)
}
