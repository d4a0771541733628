import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { AccountPart } from '../systemUsers/parts.ts'
import { switching } from './parts/switching.ts'
import { readSites } from './site.ts'
import { websites } from './tables.ts'

/** Websites are suspended and activated with their account. */
export const websitesOfAccount: AccountPart = {
  order: 30,
  async switchTo(db, { id }, state) {
    const sites = await sitesThatFollow(db, id, state)
    return { steps: await switching(db, sites, state), locks: sites.map((site) => `website:${site.id}`) }
  },
}

/** Websites that are suspended or activated with an account. */
async function sitesThatFollow(db: Db, id: number, status: 'active' | 'suspended') {
  const found = await db
    .select({ id: websites.id })
    .from(websites)
    .where(
      and(
        eq(websites.systemUserId, id),
        isNull(websites.deletedAt),
        ne(websites.kind, 'alias'), // aliases are served by their website
        inArray(websites.status, [status === 'suspended' ? 'active' : 'suspended']),
        eq(websites.suspendedWithAccount, status === 'active'),
      ),
    )
    .orderBy(websites.id)
  return readSites(
    db,
    found.map((site) => site.id),
  )
}
