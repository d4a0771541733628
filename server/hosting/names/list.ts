import type { SiteName } from '@innkeeper/contract/hosting/names/shapes'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { wwwOf } from '../websites/names.ts'
import { heldNames } from '../websites/site.ts'
import { websites } from '../websites/tables.ts'
import { inUnicode, readWebsite } from '../websites/view.ts'

/** All names of a website, its own first, each followed by the `www.` name that is served with it. */
export async function listNames(db: Db, id: number): Promise<SiteName[]> {
  const website = await readWebsite(db, id)
  const found = await db
    .select()
    .from(websites)
    .where(and(eq(websites.parentId, id), isNull(websites.deletedAt)))
    .orderBy(sql`case ${websites.kind} when 'alias' then 0 else 1 end`, websites.domain)
  const own = { ...website, until: null, mode: null }
  const all = [own, ...found]
  const held = await heldNames(
    db,
    all.flatMap(({ domain }) => wwwOf(domain)),
  )
  return all.flatMap((row): SiteName[] => {
    const { domain, mode, until, status, documentRoot, version, workflowId } = row
    const kind = row === own ? 'own' : kindOf(row)
    const name = { unicode: inUnicode(domain), mode: kind === 'sub' ? null : mode, until, status, version, workflowId }
    const shown: SiteName = {
      ...name,
      websiteId: row.id,
      name: domain,
      kind,
      documentRoot: isSite(kind) ? documentRoot : null,
    }
    const www = wwwOf(domain).filter((name) => !held.has(name))
    return [
      shown,
      ...www.map((one) => ({
        ...shown,
        websiteId: null,
        name: one,
        unicode: inUnicode(one),
        kind: 'www' as const,
        documentRoot: null,
      })),
    ]
  })
}

const isSite = (kind: SiteName['kind']) => kind === 'own' || kind === 'sub' || kind === 'staging'
function kindOf({
  kind,
  until,
}: {
  kind: 'main' | 'sub' | 'staging' | 'alias'
  until: string | null
}): SiteName['kind'] {
  if (kind === 'alias') return until === null ? 'alias' : 'old'
  return kind === 'main' ? 'sub' : kind
}
