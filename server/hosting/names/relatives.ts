import type { Relative } from '@innkeeper/contract/hosting/names/shapes'
import type { Db } from '../../kit/db/db.ts'
import { type Member, readFamily } from '../websites/family.ts'

/** Members below the website's domain, with the domain that each would get. Former names are not renamed. */
export async function relativesOf(db: Db, id: number, from: string, to: string): Promise<(Relative & Member)[]> {
  const family = await readFamily(db, id)
  return family.flatMap((member) => {
    const { kind, domain, until } = member
    if (kind === 'main' || until !== null || !domain.endsWith(`.${from}`)) return []
    return [{ ...member, kind, newDomain: `${domain.slice(0, -from.length)}${to}` }]
  })
}
