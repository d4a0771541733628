import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Work } from '../../kit/work/action.ts'
import { certificatesIn, factsOf } from '../certificates/read.ts'
import { answerOf } from '../orders/order.ts'
import { certificateOrders } from '../tables.ts'

/** A certificate as a backup keeps it. */
export const KeptContent = z.object({ chain: z.string(), key: z.string() })
interface Brought {
  certificateId: number
  /** Names the secret of the key, and with it the order. */
  keyName: string
  /** The secret with the settings of the backup. */
  from: string
  served: string[]
}

/** Keeps the certificate of a backup as an order that is issued. A repeat answers what is kept. */
export async function bringCertificate({ keyName, from, served }: Brought, { app, fence }: Work) {
  const { db, secrets } = app
  const [order] = await db.select().from(certificateOrders).where(eq(certificateOrders.secret, keyName))
  if (!order) throw new Error('the order of this certificate is gone: begin the restore anew')
  if (order.chain) return answerOf(order.chain, [], served)
  const text = await secrets.read(db, from)
  if (text === undefined) throw new Error('the settings of the backup are gone: begin the restore anew')
  const { chain, key } = KeptContent.parse(JSON.parse(text))
  const [leaf, ...rest] = certificatesIn(chain) ?? []
  if (!leaf) throw new Error('the backup has no certificate')
  const { names, fingerprint, notAfter, chain: pem } = factsOf([leaf, ...rest])
  fence()
  await db.transaction(async (tx) => {
    await secrets.write(tx, keyName, key)
    await tx
      .update(certificateOrders)
      .set({ outcome: 'issued', names, fingerprint, notAfter, chain: pem })
      .where(eq(certificateOrders.id, order.id))
  })
  return answerOf(pem, [], served)
}
