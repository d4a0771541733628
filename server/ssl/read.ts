import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Link } from '@innkeeper/contract/ssl'

const block = /-----BEGIN CERTIFICATE-----[^-]{1,20000}-----END CERTIFICATE-----/g

/** The certificates of a PEM text, in its order; undefined where one of them is none. */
export function certificatesIn(text: string): X509Certificate[] | undefined {
  try {
    return (text.match(block) ?? []).map((pem) => new X509Certificate(pem))
  } catch {
    return undefined // the caller says so beside its field
  }
}

/** The same text for the same certificates: what the agent's allow-list takes. */
export const pemOf = (chain: readonly X509Certificate[]): string =>
  chain
    .map(({ raw }) => {
      const lines = raw.toString('base64').match(/.{1,64}/g) ?? []
      return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
    })
    .join('')

export const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A private key in any of the usual forms; a text says what is wrong with it. */
export function readKey(text: string): KeyObject | string {
  if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/.test(text))
    return 'This key is protected by a passphrase: take that off first'
  try {
    const key = createPrivateKey(text)
    const { modulusLength = 4096, namedCurve } = key.asymmetricKeyDetails ?? {}
    if (key.asymmetricKeyType === 'rsa')
      return modulusLength < 2048 ? `An RSA key of ${modulusLength} bits: browsers want 2048 or more` : key
    if (key.asymmetricKeyType === 'ec')
      return ['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve ?? '')
        ? key
        : `No browser knows the curve ${namedCurve}`
    return `An ${key.asymmetricKeyType} key: web servers take RSA and ECDSA`
  } catch {
    return 'Not a private key in PEM form'
  }
}

export const fingerprintOf = (certificate: X509Certificate): string =>
  certificate.fingerprint256.replaceAll(':', '').toLowerCase()

/** The host names that a certificate is for; addresses are not of websites. */
export function namesOf({ subjectAltName }: X509Certificate): string[] {
  const names = [...(subjectAltName ?? '').matchAll(/DNS:("[^"]*"|[^,\s]+)/g)].map(([, name = '']) =>
    name.replaceAll('"', ''),
  )
  return [...new Set(names.map((name) => name.toLowerCase()))]
}

/**
 * Where a certificate says that its issuer's is to be had. Said to people and never asked from here: whoever uploads a
 * certificate has written that address, and it may lead to a machine that only this one reaches.
 */
export function issuerPlace({ infoAccess }: X509Certificate): string | undefined {
  return infoAccess?.match(/^CA Issuers - URI:(https?:\/\/[\w.:/%~?&=+-]{1,200})$/m)?.[1]
}

export const dateOf = (text: string): string => new Date(text).toISOString()

/** `Let’s Encrypt, E7`, from the lines that node gives a name in. */
export function nameIn(subject: string): string {
  const part = (key: string) => subject.match(new RegExp(`^${key}=(.+)$`, 'm'))?.[1]?.replace(/\\(.)/g, '$1')
  const [organisation, common] = [part('O'), part('CN')]
  return (
    [organisation, common === organisation ? undefined : common].filter(Boolean).join(', ') ||
    subject.replaceAll('\n', ', ')
  )
}

export const linkOf = (one: X509Certificate): Link => ({
  subject: nameIn(one.subject ?? '') || namesOf(one).join(', '),
  issuer: nameIn(one.issuer),
  notBefore: dateOf(one.validFrom),
  notAfter: dateOf(one.validTo),
  fingerprint: fingerprintOf(one),
})

/** `ECDSA P-256`, `RSA 2048`. */
export function keyWords({ publicKey }: X509Certificate): string {
  const { modulusLength, namedCurve = '' } = publicKey.asymmetricKeyDetails ?? {}
  const curves: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }
  return publicKey.asymmetricKeyType === 'rsa' ? `RSA ${modulusLength}` : `ECDSA ${curves[namedCurve] ?? namedCurve}`
}

const DAY = 86_400_000

/** What of a certificate stands in our own rows. */
export function factsOf(chain: readonly [X509Certificate, ...X509Certificate[]]) {
  const [leaf] = chain
  const [begin, end] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]
  return {
    chain: pemOf(chain),
    names: namesOf(leaf),
    issuer: nameIn(leaf.issuer),
    fingerprint: fingerprintOf(leaf),
    notBefore: new Date(begin).toISOString(),
    notAfter: new Date(end).toISOString(),
    expiringAt: new Date(end - Math.min(14 * DAY, (end - begin) / 4)).toISOString(),
  }
}
