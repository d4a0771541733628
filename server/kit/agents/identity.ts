import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import type { App } from '../app/app.ts'

const YEARS = 10
const ECDSA_SHA256 = '06082a8648ce3d040302'
const COMMON_NAME = '0603550403'

export interface Identity {
  key: string
  cert: string
  /** Base64 of the SHA-256 of the public key, the format of curl's `--pinnedpubkey sha256//…`. */
  pin: string
}

/**
 * The identity that agents verify: one key for all nodes, stored as a secret. Each start creates a new certificate for
 * it.
 */
export async function agentsIdentity({ secrets, db }: Pick<App, 'secrets' | 'db'>): Promise<Identity> {
  const key = await secrets.readOrMake(db, 'agents-door', () =>
    String(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })),
  )
  const pin = createHash('sha256').update(publicKeyOf(key)).digest('base64')
  return { key, cert: selfSigned(createPrivateKey(key)), pin }
}

// the types require text; a private KeyObject works as well
const publicKeyOf = (key: string | KeyObject) => createPublicKey(key as string).export({ type: 'spki', format: 'der' })

/** X.509 v3 certificate over the key (RFC 5280). Agents verify only the pin; names in the certificate are ignored. */
function selfSigned(key: KeyObject): string {
  const algorithm = sequence(hex(ECDSA_SHA256))
  const name = sequence(der(0x31, sequence(hex(COMMON_NAME), der(0x0c, Buffer.from('Innkeeper')))))
  const now = Date.now()
  const validity = sequence(time(now - 86_400_000), time(now + YEARS * 31_557_600_000))
  const version3 = der(0xa0, hex('020102'))
  const serial = der(0x02, Buffer.concat([hex('01'), randomBytes(15)]))
  const certified = sequence(version3, serial, algorithm, name, validity, name, publicKeyOf(key))
  const signature = der(0x03, Buffer.concat([hex('00'), sign('sha256', certified, key)]))
  const text = sequence(certified, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${text.trim()}\n-----END CERTIFICATE-----\n`
}

const hex = (text: string) => Buffer.from(text, 'hex')
const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
/** UTCTime, valid until 2049. */
const time = (ms: number) => der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

/** Tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
