import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { allNames } from '../names.ts'
import { readSite } from '../site.ts'

export interface PreviewedSite {
  /** Every name under which the website answers. */
  names: string[]
  https: boolean
  address: string
  serverName: string
}

/**
 * The website that answers a name: its domain, an alias, a `www.` name or a name below a wildcard; undefined if there
 * is none.
 */
export async function siteOf({ db }: Pick<App, 'db'>, name: string): Promise<PreviewedSite | undefined> {
  const found = await find(db, name)
  if (!found?.address) return undefined
  const names = allNames(await readSite(db, found.id))
  const { https, address, serverName } = found
  return names.some((one) => one === name || (one.startsWith('*.') && name.endsWith(one.slice(1))))
    ? { names, https, address, serverName }
    : undefined
}

interface Found {
  id: number
  https: boolean
  address: string | null
  serverName: string
}

/**
 * Finds the most specific row for the name: an alias `www.` of another website precedes that website's own `www.` name.
 */
async function find(db: Db, name: string): Promise<Found | undefined> {
  const labels = name.split('.')
  const above = labels.map((_, i) => `*.${labels.slice(i + 1).join('.')}`).slice(0, -1)
  const names = [name, ...(name.startsWith('www.') ? [name.slice(4)] : []), ...above]
  const [found] = await rows<Found>(
    db,
    sql`select main.website_id as id, main.ssl as https, servers.address, servers.name as "serverName"
      from websites named
      join websites main on main.website_id = case when named.kind = 'alias' then named.parent_id else named.website_id end
      join servers on servers.server_id = main.server_id
      where named.domain = any(${sql.param(names)}::text[]) and named.deleted_at is null and main.deleted_at is null
      order by array_position(${sql.param(names)}::text[], named.domain) limit 1`,
  )
  return found
}
