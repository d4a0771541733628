import { eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Alias } from './names.ts'
import { websites } from './tables.ts'

/** Inserts aliases of a website that arrives with them. Their status follows that of the website. */
export async function makeAliases(db: Db, websiteId: number, names: readonly Alias[], by: number): Promise<number[]> {
  if (!names.length) return []
  const [website] = await db.select().from(websites).where(eq(websites.id, websiteId))
  if (!website) throw new Error('a website was not saved')
  const { ownerId, serverId, planId, systemUserId, phpVersion, environment, documentRoot } = website
  const same = { ownerId, serverId, planId, systemUserId, phpVersion, environment, documentRoot }
  const made = await db
    .insert(websites)
    .values(
      names.map(({ domain, mode }) => ({
        ...{ kind: 'alias' as const, status: 'creating' as const, domain, mode },
        ...{ ...same, parentId: websiteId, createdBy: by },
      })),
    )
    .returning({ id: websites.id })
  return made.map(({ id }) => id)
}
