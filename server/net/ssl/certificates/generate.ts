import { randomBytes } from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
/** Apple's browsers refuse certificates with a longer lifetime. */
const SELF_SIGNED_DAYS = 397

interface Made {
  /** PKCS #8. */
  key: string
  pem: string
}

/** Creates a key and a self-signed certificate for these names. */
export async function selfSigned(names: readonly string[], now = new Date(), days = SELF_SIGNED_DAYS): Promise<Made> {
  const keys = await newKeys()
  const made = await X509CertificateGenerator.create({
    // a first bit of 1 would make the serial negative
    serialNumber: `0${randomBytes(16).toString('hex').slice(1)}`,
    subject: [{ O: ['Innkeeper (self-signed)'] }, ...commonName(names)],
    issuer: [{ O: ['Innkeeper (self-signed)'] }, ...commonName(names)],
    notBefore: new Date(now.getTime() - 3_600_000), // allows for clocks that differ
    notAfter: new Date(now.getTime() + days * 86_400_000),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      alternatives(names),
    ],
  })
  return { key: await exported(keys), pem: made.toString('pem') }
}

/** Creates a key and a signing request (CSR, DER) for an authority. */
export async function signingRequest(names: readonly string[]): Promise<{ key: string; csr: Buffer }> {
  const keys = await newKeys()
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: commonName(names),
    keys,
    signingAlgorithm: algorithm,
    extensions: [alternatives(names)],
  })
  return { key: await exported(keys), csr: Buffer.from(request.rawData) }
}

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
type Keys = Awaited<ReturnType<typeof newKeys>>
const alternatives = (names: readonly string[]) =>
  new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value })))
/**
 * The common name: X.520 allows 64 characters; without a name that short there is none. Browsers check the alternative
 * names.
 */
const commonName = (names: readonly string[]) =>
  names
    .filter((name) => name.length <= 64)
    .slice(0, 1)
    .map((name) => ({ CN: [name] }))

async function exported({ privateKey }: Keys): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`
}
