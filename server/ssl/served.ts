import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { acmeAccounts, certificates, siteCertificates } from './tables.ts'
import type { KeptCertificate } from './view.ts'

/** What a website answers with over https. */
export interface Served {
  certificate: KeptCertificate & { chain: string; secret: string; fingerprint: string }
  https: { certificateId: number; redirect: boolean; hstsDays: number }
  /** Of the account that challenges are answered for; null for a certificate that no authority is asked for. */
  thumbprint: string | null
}

/** Those of these websites that answer over https, by their ids. */
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
