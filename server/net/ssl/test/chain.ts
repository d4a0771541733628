import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY = 86_400_000

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
type Keys = Awaited<ReturnType<typeof newKeys>>

export interface Signed {
  certificate: X509Certificate
  keys: Keys
  pem: string
  key: string
}

/** A certificate signed by `by`, or self-signed. Days count from now. For tests. */
export async function signed(
  name: string,
  {
    by,
    names = [],
    ca = false,
    from = -1,
    days = 90,
    issuers,
    keys: own,
    uses = [],
  }: {
    by?: Signed
    names?: string[]
    ca?: boolean
    from?: number
    days?: number
    issuers?: string
    keys?: Keys
    uses?: string[]
  } = {},
): Promise<Signed> {
  const keys = own ?? (await newKeys())
  const certificate = await X509CertificateGenerator.create({
    serialNumber: Math.floor(Math.random() * 1e12)
      .toString(16)
      .padStart(12, '1'),
    subject: `CN=${name}`,
    issuer: by ? by.certificate.subject : `CN=${name}`,
    notBefore: new Date(Date.now() + from * DAY),
    notAfter: new Date(Date.now() + days * DAY),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: by ? by.keys.privateKey : keys.privateKey,
    extensions: [
      new BasicConstraintsExtension(ca, undefined, true),
      ...(names.length
        ? [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value })))]
        : []),
      ...(uses.length ? [new ExtendedKeyUsageExtension(uses)] : []),
      ...(issuers ? [new AuthorityInfoAccessExtension({ caIssuers: [issuers] })] : []),
    ],
  })
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  const key = `-----BEGIN PRIVATE KEY-----\n${der
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END PRIVATE KEY-----\n`
  return { certificate, keys, pem: certificate.toString('pem'), key }
}

/** A root, an intermediate and a website's certificate. */
export async function chainFor(names: string[], more: { days?: number; from?: number; middleDays?: number } = {}) {
  const { middleDays = 300, ...leafs } = more
  const root = await signed('Root of tests', { ca: true, days: 3650 })
  const middle = await signed('Middle of tests', { by: root, ca: true, days: middleDays, from: -400 })
  const leaf = await signed(names[0] ?? 'nobody', { by: middle, names, ...leafs })
  return { root, middle, leaf }
}
