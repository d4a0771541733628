import type { Certificate, CertificateView, Link } from '@innkeeper/contract/net/ssl/shapes'
import { and, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { readSite } from '../../../hosting/websites/site.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { statement } from '../../../kit/db/driver/prepared.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { certificateOrders, certificates, siteCertificates } from '../tables.ts'
import { wantedNames } from './names.ts'
import { certificatesIn, keyWords, linkOf } from './read.ts'

export type KeptCertificate = typeof certificates.$inferSelect

/** The `state` column; for an active certificate the dates decide whether the status is `expiring` or `expired`. */
const statusSql: SQL<Certificate['status']> = sql`case when ${certificates.state} <> 'active' then ${certificates.state}
  when ${certificates.notAfter} <= now() then 'expired' when ${certificates.expiringAt} <= now() then 'expiring' else 'active' end`

const { search: _, secret: __, chain: ___, state: ____, expiringAt: _____, ...columns } = getTableColumns(certificates)

const select = byIds((db, isWanted) =>
  db
    .select({ ...columns, status: statusSql })
    .from(certificates)
    .where(and(isWanted(certificates.id), isNull(certificates.deletedAt))),
)

/** Certificates in the form of the contract, in the order of `ids`; deleted ones are left out. */
export async function readCertificates(db: Db, ids: number[]): Promise<Certificate[]> {
  const [found, uses] = await Promise.all([select(db, ids), usesOf(db, ids)])
  const byCertificate = Map.groupBy(uses, ({ certificateId }) => certificateId)
  const shown = found.map((row) => ({
    ...row,
    uses: (byCertificate.get(row.id) ?? []).map(({ websiteId, domain }) => ({ websiteId, domain })),
  }))
  return inOrder(ids, shown)
}

export async function readCertificate(db: Db, id: number): Promise<Certificate> {
  const [found] = await readCertificates(db, [id])
  if (!found) throw notFound('certificate', id)
  return found
}

/** The websites that serve each certificate, without those in the trash. */
const usesOf = byIds((db, isWanted) =>
  db
    .select({ certificateId: siteCertificates.certificateId, websiteId: websites.id, domain: websites.domain })
    .from(siteCertificates)
    .innerJoin(websites, eq(websites.id, siteCertificates.websiteId))
    .where(and(isWanted(siteCertificates.certificateId), isNull(websites.deletedAt)))
    .orderBy(websites.domain),
)

const selectKept = byIds((db, isWanted) =>
  db
    .select()
    .from(certificates)
    .where(and(isWanted(certificates.id), isNull(certificates.deletedAt))),
)

export async function readKept(db: Db, id: number): Promise<KeptCertificate> {
  const [kept] = await selectKept(db, [id])
  if (!kept) throw notFound('certificate', id)
  return kept
}

/** As `readKept`, and nobody else changes the certificate until the transaction ends. */
export async function holdKept(db: Db, id: number): Promise<KeptCertificate> {
  await db.select({ id: certificates.id }).from(certificates).where(eq(certificates.id, id)).for('update')
  return readKept(db, id)
}

const latestOrders = statement((db) =>
  db
    .select()
    .from(certificateOrders)
    .where(eq(certificateOrders.certificateId, sql.placeholder('id')))
    .orderBy(desc(certificateOrders.id))
    .limit(50)
    .prepare('latest_certificate_orders'),
)

/** A certificate with its chain and its history. */
export async function readView(db: Db, id: number): Promise<CertificateView> {
  const [shown, kept, attempts] = await Promise.all([
    readCertificate(db, id),
    readKept(db, id),
    latestOrders(db).execute({ id }),
  ])
  const chain = certificatesIn(kept.chain ?? '') ?? []
  const [leaf] = chain
  const links: Link[] = chain.map(linkOf)
  const { required, others } = wantedNames(await readSite(db, kept.websiteId), kept)
  return {
    ...shown,
    serial: leaf?.serialNumber ?? null,
    key: leaf ? keyWords(leaf) : null,
    chain: links,
    pem: kept.chain,
    wanted: kept.kind === 'custom' ? kept.names : [...required, ...others],
    window: kept.windowStart && kept.windowEnd ? { start: kept.windowStart, end: kept.windowEnd } : null,
    attempts: attempts.map(({ id: attempt, at, outcome, names, notAfter, fingerprint, reason, workflowId }) => ({
      ...{ id: attempt, at, outcome, names, notAfter, fingerprint, reason, workflowId },
    })),
  }
}
