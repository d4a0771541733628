import { eq } from 'drizzle-orm'
import { take } from '../../../net/ssl/certificates/take.ts'
import { certificateOrders, certificates } from '../../../net/ssl/tables.ts'
import { chainFor } from '../../../net/ssl/test/chain.ts'
import type { TestApp } from '../../app.ts'
import type { Row } from './row.ts'

type Call = (method: 'POST', path: string, body: unknown) => Promise<{ data: { id: number } }>

/** A certificate in use and an unused one. Returns the uploads with their websites. */
export async function makeCertificates(
  { app }: TestApp,
  call: Call,
  website: { id: number; domain: string },
  work: () => Promise<void>,
): Promise<Row> {
  const { root, middle, leaf } = await chainFor([website.domain, `www.${website.domain}`])
  const upload = { certificate: leaf.pem, key: leaf.key, ca: middle.pem + root.pem }
  const { data } = await call('POST', '/ssl-controller/certificate/custom', { websiteId: website.id, ...upload })
  await work()
  // no worker runs here
  const issued = eq(certificateOrders.certificateId, data.id)
  const [order] = await app.db.select({ keyName: certificateOrders.secret }).from(certificateOrders).where(issued)
  const settings = { certificateId: data.id, redirect: true, hstsDays: 0 }
  await take(app.db, { websiteId: website.id, keyName: order?.keyName ?? null, before: null, ...settings })
  await app.db.insert(certificates).values({
    ...{ websiteId: website.id, domain: website.domain, kind: 'self-signed', state: 'active', autoRenew: true },
    ...{ vhostAliases: true, names: [website.domain], search: website.domain, issuer: 'Innkeeper (self-signed)' },
  })
  return { website_id: website.id, redirect: true, hsts_days: 0, ...upload }
}
