import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import type { ssl as contract } from '@innkeeper/contract/net/ssl/calls'
import type { Certificate } from '@innkeeper/contract/net/ssl/shapes'
import { inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { nameLike, pageKeys } from '../../../kit/db/page.ts'
import { certificates } from '../tables.ts'
import { readCertificates } from './view.ts'

const { state, expiringAt } = certificates
/** A certificate that was never issued has no end date and sorts last. */
const notAfter = sql`coalesce(${certificates.notAfter}, 'infinity')`
const sorts = {
  createdAt: { column: certificates.createdAt, type: 'instant', direction: 'DESC' },
  notAfter: { column: notAfter, type: 'instant', direction: 'ASC' },
  domain: { column: certificates.domain, type: 'text', direction: 'ASC' },
} as const

/** Condition for each status, written so that the index of its columns is used. */
const states: Record<Certificate['status'], SQL> = {
  ordering: sql`${state} = 'ordering'`,
  failed: sql`${state} = 'failed'`,
  revoked: sql`${state} = 'revoked'`,
  expired: sql`(${state} = 'active' and ${notAfter} <= now())`,
  expiring: sql`(${state} = 'active' and ${expiringAt} <= now() and ${notAfter} > now())`,
  active: sql`(${state} = 'active' and ${expiringAt} > now())`,
}

export async function listCertificates(
  db: Db,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list, 'in'>> {
  const where: SQL[] = [sql`${certificates.deletedAt} is null`]
  if (input.search) where.push(nameLike(certificates.search, input.search))
  if (input.kind) where.push(inArray(certificates.kind, input.kind))
  if (input.website) where.push(inArray(certificates.websiteId, input.website))
  if (input.status) where.push(or(...input.status.map((one) => states[one])) ?? sql`true`)
  if (input.within !== undefined)
    where.push(sql`${notAfter} > now() and ${notAfter} <= now() + make_interval(days => ${input.within}::int)`)
  if (input.used) {
    const used = sql`exists (select from site_certificates s join websites w on w.website_id = s.website_id and w.deleted_at is null
      where s.certificate_id = ${certificates.id})`
    where.push(input.used === 'true' ? used : sql`not ${used}`)
  }
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${certificates}`,
    where,
    key: certificates.id,
    order: sorts[input.sort ?? 'createdAt'],
  })
  return { items: await readCertificates(db, ids), ...page }
}
