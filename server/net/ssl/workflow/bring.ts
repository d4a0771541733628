import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Work } from '../../../kit/work/action.ts'
import { certificatesIn, factsOf } from '../certificates/read.ts'
import { answerOf } from '../orders/order.ts'
import { certificateOrders } from '../tables.ts'

/** A certificate in a backup. */
const KeptContent = z.object({ chain: z.string(), key: z.string() })
interface Brought {
  certificateId: number
  /** Name of the secret with the key, which also identifies the order. */
  keyName: string
  /** The secret with the settings of the backup. */
  from: string
  served: string[]
}

/** Saves the certificate of a backup as an issued order. A repeated run returns the order that is already saved. */
export async function bringCertificate({ keyName, from, served }: Brought, { app, fence }: Work) {
  const { db, secrets } = app
  const [order] = await db.select().from(certificateOrders).where(eq(certificateOrders.secret, keyName))
  if (!order) throw new Error('the order of this certificate was deleted: start the restore again')
  if (order.chain) return answerOf(order.chain, [], served)
  const text = await secrets.read(db, from)
  if (text === undefined) throw new Error('the settings of the backup were deleted: start the restore again')
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
