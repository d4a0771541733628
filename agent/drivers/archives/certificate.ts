import { createPrivateKey, X509Certificate } from 'node:crypto'

const pem = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,20000}-----END CERTIFICATE-----/g

/** A key of DKIM as PKCS #8; undefined if it is no RSA key that can be read. */
export function dkimKeyIn(text: string | undefined): string | undefined {
  try {
    const key = text && createPrivateKey(text)
    return key && key.asymmetricKeyType === 'rsa' ? String(key.export({ format: 'pem', type: 'pkcs8' })) : undefined
  } catch {
    return undefined
  }
}

/** Nobody uploads a certificate of three months by hand: a program has ordered it, and renews it. */
const MOST_RENEWED_DAYS = 100
const isRenewed = ({ subject, issuer, validFrom, validTo }: X509Certificate) =>
  subject !== issuer && Date.parse(validTo) - Date.parse(validFrom) <= MOST_RENEWED_DAYS * 86_400_000

/** A certificate with its chain, and its key as PKCS #8; undefined if they do not belong together or cannot be read. */
export function certificateIn(texts: readonly string[], key: string | undefined) {
  if (!key) return undefined
  try {
    const own = createPrivateKey(key)
    const all = texts
      .flatMap((text) => text.match(pem) ?? [])
      .slice(0, 20)
      .map((text) => new X509Certificate(text))
    const leaf = all.find((one) => one.checkPrivateKey(own))
    if (!leaf) return undefined
    const rest = all.filter((one) => one.fingerprint256 !== leaf.fingerprint256)
    const names = (leaf.subjectAltName ?? '')
      .split(', ')
      .flatMap((name) => (name.startsWith('DNS:') ? name.slice(4) : []))
    return {
      found: {
        ...{ chain: [leaf, ...rest].map(String).join(''), notAfter: new Date(leaf.validTo).toISOString(), names },
        renews: isRenewed(leaf),
      },
      key: String(own.export({ format: 'pem', type: 'pkcs8' })),
    }
  } catch {
    return undefined // an encrypted or damaged key: the plan says that the certificate is not carried
  }
}
