import type { TestApp } from '../kit/test.ts'
import { certificates, siteCertificates } from '../ssl/tables.ts'
import { chainFor } from '../ssl/testChain.ts'

type Call = (method: 'POST', path: string, body: unknown) => Promise<{ data: { id: number } }>

/** One that a website answers with, and one that nobody uses. */
export async function makeCertificates(
  { app }: TestApp,
  call: Call,
  website: { id: number; domain: string },
  work: () => Promise<void>,
): Promise<void> {
  const { root, middle, leaf } = await chainFor([website.domain, `www.${website.domain}`])
  const upload = { certificate: leaf.pem, key: leaf.key, ca: middle.pem + root.pem }
  const { data } = await call('POST', '/ssl-controller/certificate/custom', { websiteId: website.id, ...upload })
  await work()
  // nobody here carries our own actions out
  await app.db.insert(siteCertificates).values({ websiteId: website.id, certificateId: data.id, redirect: true })
  await app.db.insert(certificates).values({
    ...{ websiteId: website.id, domain: website.domain, kind: 'self-signed', state: 'active', autoRenew: true },
    ...{ vhostAliases: true, names: [website.domain], search: website.domain, issuer: 'Innkeeper (self-signed)' },
  })
}
