/** Letters and digits without look-alikes: no I, l, 1, O, o or 0. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const LENGTH = 5

/** "Kd7fw-Xp4mn-…": 20 random characters in four groups, 115 bits. Every server and database takes these characters. */
export function makePassword(): string {
  const group = () => Array.from({ length: LENGTH }, () => ALPHABET[randomBelow(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** Uniform random number: rejects bytes beyond the last whole multiple of the limit. */
function randomBelow(limit: number): number {
  const last = 256 - (256 % limit)
  for (;;) {
    const byte = crypto.getRandomValues(new Uint8Array(1))[0] ?? 255
    if (byte < last) return byte % limit
  }
}
