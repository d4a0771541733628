import { hostname } from 'node:os'
import { type Owner, replace } from '../files/files.ts'
import { must } from '../programs/run.ts'

/** Makes a certificate of the server's own, which clients pin or accept once. */
export async function makeOwnCertificate(at: { certificate: string; key: string; owner?: Owner }): Promise<void> {
  const subject = ['-subj', `/CN=${hostname()}`, '-addext', `subjectAltName=DNS:${hostname()}`]
  const how = ['-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '3650']
  const made = await must(['openssl', 'req', ...how, ...subject, '-keyout', '-', '-out', '-'])
  const [key] = made.match(/-----BEGIN PRIVATE KEY-----[^-]*-----END PRIVATE KEY-----\n/) ?? []
  const [certificate] = made.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n/) ?? []
  if (!key || !certificate) throw new Error('openssl made no certificate')
  const owner = at.owner && { owner: at.owner }
  await replace(at.key, key, { mode: 0o600, ...owner })
  await replace(at.certificate, certificate, owner)
}
