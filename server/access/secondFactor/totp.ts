import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const SECONDS = 30
/** Accepted clock drift in time steps of 30 seconds, in both directions. */
const DRIFT = 1
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 of RFC 4648 without padding, the format of authenticators. */
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

/** 160 bits, as RFC 4226 recommends for SHA-1. */
export const newSecret = (): string => base32(randomBytes(20))

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / SECONDS)

/** Code of a time step, RFC 6238 with RFC 4226. `digits`: 6; the test vectors of the RFC have 8. */
export function codeAt(secret: string, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Time step of a code; undefined if the code matches no step within the accepted drift. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const at = stepAt(now)
  const given = Buffer.from(code)
  for (let step = at - DRIFT; step <= at + DRIFT; step++) {
    const expected = Buffer.from(codeAt(secret, step))
    if (expected.length === given.length && timingSafeEqual(expected, given)) return step
  }
  return undefined
}

/** URI for the QR code of an authenticator. */
export function uriOf(secret: string, account: string): string {
  const query = new URLSearchParams({ secret, issuer: 'Innkeeper', algorithm: 'SHA1', digits: '6', period: '30' })
  return `otpauth://totp/Innkeeper:${encodeURIComponent(account)}?${query}`
}
