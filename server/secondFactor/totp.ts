import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const SECONDS = 30
/** Half minutes that a clock may be off to either side. */
const DRIFT = 1
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding: what authenticators take. */
export function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

export function fromBase32(text: string): Buffer {
  let bits = ''
  for (const letter of text) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/** 160 bits, as RFC 4226 wants for SHA-1. */
export const newSecret = (): string => base32(randomBytes(20))

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / SECONDS)

/** The code of one half minute, RFC 6238 over RFC 4226. `digits`: 6; the RFC's own examples have 8. */
export function codeAt(secret: string, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The half minute whose code this is; undefined where it is none of those around now. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const at = stepAt(now)
  const given = Buffer.from(code)
  for (let step = at - DRIFT; step <= at + DRIFT; step++) {
    const expected = Buffer.from(codeAt(secret, step))
    if (expected.length === given.length && timingSafeEqual(expected, given)) return step
  }
  return undefined
}

/** What an authenticator reads from the picture. */
export function uriOf(secret: string, account: string): string {
  const query = new URLSearchParams({ secret, issuer: 'Innkeeper', algorithm: 'SHA1', digits: '6', period: '30' })
  return `otpauth://totp/Innkeeper:${encodeURIComponent(account)}?${query}`
}
