import { createHash } from 'node:crypto'
import { sshKeyBody, sshKeyType } from '@innkeeper/contract/values'
import { invalid } from '../kit/http/errors.ts'

export interface PublicKey {
  type: ReturnType<typeof sshKeyType.parse>
  body: string
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string
  comment: string
}
const RSA_BITS = 2048

/**
 * A line of authorized_keys (sshd(8)) without options: `ssh-ed25519 AAAA… comment`. 400 beside the field for anything
 * else: a private key, options, a type that is too old, an RSA key that is too short, a body of another type.
 */
export function readKey(text: string): PublicKey {
  const refuse = (why: string) => invalid({ key: why })
  if (/PRIVATE KEY/.test(text)) throw refuse('That is a private key: it belongs to its owner alone. Take the .pub file')
  const [type = '', body = '', ...comment] = text.trim().split(/\s+/)
  if (type === 'ssh-dss') throw refuse('DSA keys are not let in any more')
  const known = sshKeyType.safeParse(type)
  if (!known.success) throw refuse(`Begins with ${type.slice(0, 40)}, not with a type such as ssh-ed25519 or ssh-rsa`)
  if (!sshKeyBody.safeParse(body).success) throw refuse('What follows the type is not a public key')
  const blob = Buffer.from(body, 'base64')
  const fields = fieldsOf(blob)
  if (blob.toString('base64') !== body || !fields) throw refuse('The key is cut off or has been changed')
  if (String(fields[0]) !== type) throw refuse(`Says that it is ${type}, and is ${String(fields[0]).slice(0, 40)}`)
  if (type === 'ssh-rsa' && bits(fields[2]) < RSA_BITS)
    throw refuse(`An RSA key of ${bits(fields[2])} bits; ${RSA_BITS} is the least`)
  const fingerprint = `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
  return { type: known.data, body, fingerprint, comment: comment.join(' ').slice(0, 120) }
}

/** The strings of the SSH wire format (RFC 4251 §5), each with its length before it; undefined where they do not add up. */
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

/** Of a number of the wire format, which has a zero in front where its first bit is set. */
function bits(number: Uint8Array = new Uint8Array()): number {
  const first = number.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (number.length - first) * 8 - Math.clz32(number[first] ?? 0) + 24
}
