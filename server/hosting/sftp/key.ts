import { createHash } from 'node:crypto'
import { sshKeyBody, sshKeyType } from '@innkeeper/contract/kit/values'
import { invalid } from '../../kit/http/errors.ts'

export interface PublicKey {
  type: ReturnType<typeof sshKeyType.parse>
  body: string
  /** Fingerprint in the format of `ssh-keygen -l`. */
  fingerprint: string
  comment: string
}
const RSA_BITS = 2048

/**
 * Parses a line of authorized_keys (sshd(8)) without options: `ssh-ed25519 AAAA… comment`. Throws 400 for anything
 * else: a private key, options, an obsolete type, a short RSA key, or a body of another type.
 */
export function readKey(text: string): PublicKey {
  const refuse = (why: string) => invalid({ key: why })
  if (/PRIVATE KEY/.test(text)) throw refuse('This is a private key, which only its owner may have. Use the .pub file')
  const [type = '', body = '', ...comment] = text.trim().split(/\s+/)
  if (type === 'ssh-dss') throw refuse('DSA keys are no longer accepted')
  const known = sshKeyType.safeParse(type)
  if (!known.success) throw refuse(`Begins with ${type.slice(0, 40)}, not with a type such as ssh-ed25519 or ssh-rsa`)
  if (!sshKeyBody.safeParse(body).success) throw refuse('What follows the type is not a public key')
  const blob = Buffer.from(body, 'base64')
  const fields = fieldsOf(blob)
  if (blob.toString('base64') !== body || !fields) throw refuse('The key is cut off or has been changed')
  if (String(fields[0]) !== type) throw refuse(`Says that it is ${type}, and is ${String(fields[0]).slice(0, 40)}`)
  if (type === 'ssh-rsa' && bits(fields[2]) < RSA_BITS)
    throw refuse(`An RSA key of ${bits(fields[2])} bits; at least ${RSA_BITS} are required`)
  const fingerprint = `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`
  return { type: known.data, body, fingerprint, comment: comment.join(' ').slice(0, 120) }
}

/**
 * Parses the length-prefixed strings of the SSH wire format (RFC 4251 §5). Undefined if the lengths do not match the
 * data.
 */
function fieldsOf(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = []
  let at = 0
  while (at < blob.length) {
    const length = at + 4 <= blob.length ? blob.readUInt32BE(at) : Number.POSITIVE_INFINITY
    if (at + 4 + length > blob.length) return undefined
    fields.push(blob.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return fields.length >= 2 ? fields : undefined
}

/** Bit length of a number in the wire format, which starts with a zero byte if its first bit is set. */
function bits(number: Uint8Array = new Uint8Array()): number {
  const first = number.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (number.length - first) * 8 - Math.clz32(number[first] ?? 0) + 24
}
