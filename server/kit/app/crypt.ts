import { createHash, randomInt } from 'node:crypto'

const letters = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ROUNDS = 5000
/** The order in which crypt(3) writes the 64 bytes of the digest, three at a time. */
const order = Array.from({ length: 21 }, (_, i) => [0, 1, 2].map((j) => ((i + j) % 3) * 21 + i))

/** Hashes a password as crypt(3) with SHA-512 does: `$6$salt$…`, which the server's login database compares. */
export function crypt(password: string, salt = newSalt()): string {
  const key = Buffer.from(password)
  const sha = (...parts: Uint8Array[]) => parts.reduce((hash, part) => hash.update(part), createHash('sha512')).digest()
  const saltBytes = Buffer.from(salt)
  const other = sha(key, saltBytes, key)
  const first = createHash('sha512').update(key).update(saltBytes).update(repeated(other, key.length))
  for (let n = key.length; n > 0; n >>= 1) first.update(n & 1 ? other : key)
  let digest: Buffer = first.digest()
  const p = repeated(sha(...Array.from({ length: key.length }, () => key)), key.length)
  const s = repeated(sha(...Array.from({ length: 16 + (digest[0] ?? 0) }, () => saltBytes)), saltBytes.length)
  for (let round = 0; round < ROUNDS; round++)
    digest = sha(
      round % 2 ? p : digest,
      round % 3 ? s : Buffer.alloc(0),
      round % 7 ? p : Buffer.alloc(0),
      round % 2 ? digest : p,
    )
  return `$6$${salt}$${encoded(digest)}`
}

function encoded(digest: Buffer): string {
  let text = ''
  for (const [a = 0, b = 0, c = 0] of order)
    text += bits(((digest[a] ?? 0) << 16) | ((digest[b] ?? 0) << 8) | (digest[c] ?? 0), 4)
  return text + bits(digest[63] ?? 0, 2)
}

const bits = (value: number, count: number) =>
  Array.from({ length: count }, (_, i) => letters[(value >> (6 * i)) & 63]).join('')

const repeated = (block: Buffer, length: number) =>
  Buffer.concat(Array.from({ length: Math.ceil(length / block.length) || 0 }, () => block)).subarray(0, length)

const newSalt = () => Array.from({ length: 16 }, () => letters[randomInt(64)]).join('')
