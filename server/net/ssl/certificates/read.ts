import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Link } from '@innkeeper/contract/net/ssl/shapes'

const block = /-----BEGIN CERTIFICATE-----[^-]{1,20000}-----END CERTIFICATE-----/g

/** Parses the certificates of a PEM text in order; undefined when one of them is invalid. */
export function certificatesIn(text: string): X509Certificate[] | undefined {
  try {
    return (text.match(block) ?? []).map((pem) => new X509Certificate(pem))
  } catch {
    return undefined // the caller reports the problem at its field
  }
}

/** PEM in one canonical form: the agent's allow-list accepts only this form. */
export const pemOf = (chain: readonly X509Certificate[]): string =>
  chain
    .map(({ raw }) => {
      const lines = raw.toString('base64').match(/.{1,64}/g) ?? []
      return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
    })
    .join('')

export const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Parses a private key in any of the usual formats; returns a text that explains the problem otherwise. */
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

/** The host names that a certificate covers. Leaves out IP addresses: no website uses them. */
export function namesOf({ subjectAltName }: X509Certificate): string[] {
  const names = [...(subjectAltName ?? '').matchAll(/DNS:("[^"]*"|[^,\s]+)/g)].map(([, name = '']) =>
    name.replaceAll('"', ''),
  )
  return [...new Set(names.map((name) => name.toLowerCase()))]
}

/**
 * The URL from which the issuer's certificate can be downloaded. Shown to people and never requested from here: whoever
 * uploads a certificate chose this URL, which may lead to a host that only this machine can reach.
 */
export function issuerPlace({ infoAccess }: X509Certificate): string | undefined {
  return infoAccess?.match(/^CA Issuers - URI:(https?:\/\/[\w.:/%~?&=+-]{1,200})$/m)?.[1]
}

export const dateOf = (text: string): string => new Date(text).toISOString()

/** Formats a name from node's output lines, such as `Let’s Encrypt, E7`. */
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

/** Formats the key type, such as `ECDSA P-256` or `RSA 2048`. */
export function keyWords({ publicKey }: X509Certificate): string {
  const { modulusLength, namedCurve = '' } = publicKey.asymmetricKeyDetails ?? {}
  const curves: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }
  return publicKey.asymmetricKeyType === 'rsa' ? `RSA ${modulusLength}` : `ECDSA ${curves[namedCurve] ?? namedCurve}`
}

const DAY = 86_400_000

/** The columns of our tables that are read from a certificate. */
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
