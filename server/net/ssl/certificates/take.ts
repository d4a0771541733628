import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { websites } from '../../../hosting/websites/tables.ts'
import type { Db } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { renewalTime } from '../orders/renewalTime.ts'
import { certificateOrders, certificates, siteCertificates } from '../tables.ts'
import { certificatesIn, factsOf } from './read.ts'

interface Settings {
  certificateId: number
  redirect: boolean
  hstsDays: number
}
interface Taken extends Settings {
  websiteId: number
  /** Secret name of the order that issued the certificate; null when no order is involved. */
  keyName: string | null
  /** The previous https settings of the website. */
  before: Settings | null
}
/**
 * Makes a website serve a certificate, and copies the order's result into the certificate. A repeated run changes
 * nothing.
 */
export const take = (db: Db, { keyName, websiteId, certificateId, redirect, hstsDays }: Taken): Promise<void> =>
  db.transaction(async (tx) => {
    if (keyName !== null) await becomeOrder(tx, certificateId, eq(certificateOrders.secret, keyName))
    await put(tx, websiteId, { certificateId, redirect, hstsDays })
    await changed(tx, 'ssl', certificateId)
  })

/** Undo of `take`: restores the previous settings and the previous order. */
export const takeBack = (db: Db, { keyName, websiteId, certificateId, before }: Taken): Promise<void> =>
  db.transaction(async (tx) => {
    if (keyName !== null) {
      await tx.update(certificateOrders).set({ outcome: 'unused' }).where(eq(certificateOrders.secret, keyName))
      const [earlier] = await tx
        .select({ id: certificateOrders.id })
        .from(certificateOrders)
        .where(and(eq(certificateOrders.certificateId, certificateId), eq(certificateOrders.outcome, 'replaced')))
        .orderBy(desc(certificateOrders.id))
        .limit(1)
      if (earlier) await becomeOrder(tx, certificateId, eq(certificateOrders.id, earlier.id))
    }
    if (before) await put(tx, websiteId, before)
    else await remove(tx, websiteId)
    await changed(tx, 'ssl', certificateId)
  })

export const release = (db: Db, websiteId: number): Promise<void> =>
  db.transaction(async (tx) => {
    await remove(tx, websiteId)
    await changed(tx, 'ssl')
  })

export const giveBack = (db: Db, websiteId: number, before: Settings): Promise<void> =>
  db.transaction(async (tx) => {
    await put(tx, websiteId, before)
    await changed(tx, 'ssl', before.certificateId)
  })

async function put(tx: Db, websiteId: number, settings: Settings): Promise<void> {
  await tx
    .insert(siteCertificates)
    .values({ websiteId, ...settings })
    .onConflictDoUpdate({ target: siteCertificates.websiteId, set: { ...settings, installedAt: sql`now()` } })
  await tx.update(websites).set({ ssl: true }).where(eq(websites.id, websiteId))
  await changed(tx, 'websites', websiteId)
}

async function remove(tx: Db, websiteId: number): Promise<void> {
  await tx.delete(siteCertificates).where(eq(siteCertificates.websiteId, websiteId))
  await tx.update(websites).set({ ssl: false }).where(eq(websites.id, websiteId))
  await changed(tx, 'websites', websiteId)
}

/** Copies an order into the certificate; the previous order becomes `replaced`. */
async function becomeOrder(tx: Db, certificateId: number, which: SQL): Promise<void> {
  const [order] = await tx.select().from(certificateOrders).where(which)
  const [leaf, ...rest] = certificatesIn(order?.chain ?? '') ?? []
  if (!order || !leaf) throw new Error('the order has brought no certificate')
  const [certificate] = await tx.select().from(certificates).where(eq(certificates.id, certificateId)).for('update')
  if (!certificate) throw new Error(`the certificate ${certificateId} is gone`)
  const { names, ...facts } = factsOf([leaf, ...rest])
  await tx
    .update(certificateOrders)
    .set({ outcome: 'replaced' })
    .where(
      and(
        eq(certificateOrders.certificateId, certificateId),
        eq(certificateOrders.outcome, 'in-use'),
        ne(certificateOrders.id, order.id),
      ),
    )
  await tx.update(certificateOrders).set({ outcome: 'in-use' }).where(eq(certificateOrders.id, order.id))
  await tx
    .update(certificates)
    .set({
      ...facts,
      names,
      search: [certificate.domain, ...names].join(' '),
      secret: order.secret,
      state: 'active',
      missing: order.missing,
      ...{ windowStart: null, windowEnd: null, windowAskedAt: null },
      renewAt: certificate.autoRenew ? renewalTime(facts) : null,
      ...nextVersion,
    })
    .where(eq(certificates.id, certificateId))
}
