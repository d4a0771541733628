import type { Limit } from '@innkeeper/contract/net/ssl/shapes'
import { type SQL, sql } from 'drizzle-orm'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { registeredDomain } from '../certificates/names.ts'

/** Rate limits of Let's Encrypt (letsencrypt.org/docs/rate-limits); usage is counted from our own orders. */
const allowed = {
  orders: { most: 300, hours: 3 },
  domain: { most: 50, hours: 168 },
  identical: { most: 5, hours: 168 },
  failures: { most: 5, hours: 1 },
} as const
type Kind = keyof typeof allowed

/** SQL: our orders at a directory within the period of a limit. */
const recent = (directory: string, kind: Kind): SQL =>
  sql`from certificate_orders where directory = ${directory} and at > now() - make_interval(hours => ${allowed[kind].hours}::int)`
const freeAt = (kind: Kind): SQL =>
  sql`to_char((min(at) + make_interval(hours => ${allowed[kind].hours}::int)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "freeAt"`

interface Counted {
  about: string | null
  used: number
  freeAt: string | null
}
const limitOf = (limit: Kind, { about, used, freeAt: at }: Counted): Limit => ({
  limit,
  about,
  used,
  freeAt: at,
  ...allowed[limit],
})

/** The rate limits that an order for these names counts towards, with their usage. */
export async function limitsFor(db: Db, directory: string, names: readonly string[]): Promise<Limit[]> {
  const domains = [...new Set(names.map(registeredDomain))]
  const [orders] = await rows<Counted>(
    db,
    sql`select null as about, count(*)::int as used, ${freeAt('orders')} ${recent(directory, 'orders')} and ordered`,
  )
  const byDomain = await rows<Counted>(
    db,
    sql`select d as about, count(*)::int as used, ${freeAt('domain')} from (select at, unnest(domains) as d
        ${recent(directory, 'domain')} and not renewal and chain is not null) o
      where d = any(${sql.param(domains)}::text[]) group by d`,
  )
  const set = names.toSorted().join(' ')
  const [identical] = await rows<Counted>(
    db,
    sql`select ${set}::text as about, count(*)::int as used, ${freeAt('identical')} ${recent(directory, 'identical')}
      and chain is not null and array_to_string(names, ' ') = ${set}`,
  )
  const failures = await rows<Counted>(
    db,
    sql`select name as about, count(*)::int as used, ${freeAt('failures')} from (select at, unnest(refused_names) as name
        ${recent(directory, 'failures')}) f
      where name = any(${sql.param([...names])}::text[]) group by name`,
  )
  return [
    ...(orders ? [limitOf('orders', orders)] : []),
    ...domains.map((about) =>
      limitOf('domain', byDomain.find((one) => one.about === about) ?? { about, used: 0, freeAt: null }),
    ),
    ...(identical ? [limitOf('identical', identical)] : []),
    ...failures.map((one) => limitOf('failures', one)),
  ]
}

/**
 * The rate limits of all orders: the limit of the account, and of each other kind the ten limits with the highest
 * usage.
 */
export async function allLimits(db: Db, directory: string): Promise<Limit[]> {
  const [orders] = await rows<Counted>(
    db,
    sql`select null as about, count(*)::int as used, ${freeAt('orders')} ${recent(directory, 'orders')} and ordered`,
  )
  const most = async (kind: Kind, about: SQL, which: SQL) =>
    (
      await rows<Counted>(
        db,
        sql`select about, count(*)::int as used, ${freeAt(kind)} from (select at, ${about} as about ${recent(directory, kind)}
            ${which}) o group by about order by count(*) desc, about limit 10`,
      )
    ).map((one) => limitOf(kind, one))
  return [
    ...(orders ? [limitOf('orders', orders)] : []),
    ...(await most('domain', sql`unnest(domains)`, sql`and not renewal and chain is not null`)),
    ...(await most('identical', sql`array_to_string(names, ' ')`, sql`and chain is not null`)).filter(
      ({ used }) => used > 1,
    ),
    ...(await most('failures', sql`unnest(refused_names)`, sql``)),
  ]
}

/** The first limit that is used up; a renewal does not count towards the limit of a domain. */
export const usedUp = (limits: readonly Limit[], renewal: boolean): Limit | undefined =>
  limits.find(({ limit, used, most }) => used >= most && !(renewal && limit === 'domain'))

export function limitWords({ limit, about, used, most, hours, freeAt: at }: Limit): string {
  const span = hours >= 48 ? `${hours / 24} days` : hours === 1 ? 'hour' : `${hours} hours`
  const what = {
    orders: `${used} of ${most} orders`,
    domain: `${used} of ${most} new certificates for ${about}`,
    identical: `${used} of ${most} certificates for the very same names`,
    failures: `${used} of ${most} failures of ${about}`,
  }[limit]
  return `${what} in the last ${span} are used up${at ? `; the next is possible ${sinceText(at)}` : ''}`
}
