import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { keptRows } from '../../../kit/db/driver/prepared.ts'

interface Row {
  id: number
  domain: string
  status: string
  ownerId: number
  ownerName: string
}
interface Asked {
  /** The future owner; undefined while the form is incomplete. */
  ownerId?: number | undefined
  /** The website that gets the name. Its own names do not conflict. */
  siteId?: number
  /** Adverb in the message: `already`, or `by now` for a former name of the website. */
  now?: string
}

/**
 * The reason why a name is not available; undefined if it is free. Reads indexes only: the name itself, the name
 * without `www.`, the wildcards above and, for a wildcard, the names below.
 */
export async function takenName(db: Db, name: string, asked: Asked = {}): Promise<string | undefined> {
  const { siteId = -1, now = 'already', ownerId } = asked
  const base = name.replace(/^\*\./, '')
  const bare = name.startsWith('www.') ? name.slice(4) : undefined
  const labels = base.split('.')
  const wildcards = labels.slice(1, -1).map((_, i) => `*.${labels.slice(i + 1).join('.')}`)
  const candidates = [name, ...(bare ? [bare] : []), ...wildcards]
  const found = await keptRows<Row>(
    db,
    sql`select w.website_id as id, w.domain, w.status, w.owner_id as "ownerId", o.name as "ownerName"
      from websites w join owners o on o.owner_id = w.owner_id
      where w.domain = any(${sql.param(candidates)}::text[]) and w.deleted_at is null
        and w.website_id <> ${siteId} and not (w.kind = 'alias' and coalesce(w.parent_id, 0) = ${siteId})`,
  )
  const same = found.find(({ domain }) => domain === name)
  if (same) return `${name} is website ${same.id} ${now} (${same.status})`
  const whole = found.find(({ domain }) => domain === bare)
  if (whole) return `${name} is served ${now} with ${whole.domain}, website ${whole.id}`
  if (ownerId === undefined) return undefined
  const above = found.find(({ domain, ownerId: other }) => domain !== bare && other !== ownerId)
  if (above) return `${above.domain} of ${above.ownerName}, website ${above.id}, answers for all names below it ${now}`
  return name === base ? undefined : takenBelow(db, base, ownerId, now)
}

/**
 * Refuses a wildcard if a name below it belongs to another owner, because the wildcard would answer for this name on
 * the wrong server.
 */
async function takenBelow(db: Db, base: string, ownerId: number, now: string): Promise<string | undefined> {
  const ending = [...`.${base}`].toReversed().join('')
  const [other] = await rows<Row>(
    db,
    sql`select w.website_id as id, w.domain, w.status, w.owner_id as "ownerId", o.name as "ownerName"
      from websites w join owners o on o.owner_id = w.owner_id
      where reverse(w.domain) like ${`${ending.replaceAll('_', '\\_')}%`} and w.deleted_at is null and w.owner_id <> ${ownerId}
      limit 1`,
  )
  return other && `${other.domain} below it is website ${other.id} of ${other.ownerName} ${now}`
}
