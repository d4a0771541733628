import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { acmeAccounts, certificates, siteCertificates } from '../tables.ts'
import type { KeptCertificate } from './view.ts'

/** The certificate and settings with which a website serves https. */
export interface Served {
  certificate: KeptCertificate & { chain: string; secret: string; fingerprint: string }
  https: { certificateId: number; redirect: boolean; hstsDays: number }
  /** Thumbprint of the ACME account that answers challenges; null for a certificate without an authority. */
  thumbprint: string | null
}

/** The served certificates of those websites that use https, by website id. */
export async function servedBy(db: Db, websiteIds: readonly number[]): Promise<Map<number, Served>> {
  if (!websiteIds.length) return new Map()
  const found = await db
    .select({ certificate: certificates, site: siteCertificates })
    .from(siteCertificates)
    .innerJoin(certificates, eq(certificates.id, siteCertificates.certificateId))
    .where(and(inArray(siteCertificates.websiteId, [...websiteIds]), isNull(certificates.deletedAt)))
  const ordered = found.some(({ certificate }) => certificate.kind === 'lets-encrypt')
  const [account] = ordered ? await db.select().from(acmeAccounts).limit(1) : []
  return new Map(
    found.flatMap(({ certificate, site: { websiteId, certificateId, redirect, hstsDays } }): [number, Served][] => {
      const { chain, secret, fingerprint, kind } = certificate
      if (!chain || !secret || !fingerprint) return []
      const thumbprint = kind === 'lets-encrypt' && account ? account.thumbprint : null
      const https = { certificateId, redirect, hstsDays }
      return [[websiteId, { certificate: { ...certificate, chain, secret, fingerprint }, https, thumbprint }]]
    }),
  )
}

export const servedWith = async (db: Db, websiteId: number): Promise<Served | undefined> =>
  (await servedBy(db, [websiteId])).get(websiteId)
