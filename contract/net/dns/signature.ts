import { type Bytes, join } from './wire.ts'

type Kind = {
  import: Parameters<typeof crypto.subtle.importKey>[2]
  verify: Parameters<typeof crypto.subtle.verify>[0]
}
const kinds: Record<number, Kind> = {
  5: { import: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-1' }, verify: { name: 'RSASSA-PKCS1-v1_5' } },
  7: { import: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-1' }, verify: { name: 'RSASSA-PKCS1-v1_5' } },
  8: { import: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, verify: { name: 'RSASSA-PKCS1-v1_5' } },
  10: { import: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' }, verify: { name: 'RSASSA-PKCS1-v1_5' } },
  13: { import: { name: 'ECDSA', namedCurve: 'P-256' }, verify: { name: 'ECDSA', hash: 'SHA-256' } },
  14: { import: { name: 'ECDSA', namedCurve: 'P-384' }, verify: { name: 'ECDSA', hash: 'SHA-384' } },
  15: { import: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
}
export async function isBy(rdata: Bytes, algorithm: number, signature: Bytes, text: Bytes): Promise<boolean> {
  const kind = kinds[algorithm]
  if (!kind) return false
  const bytes = rdata.slice(4)
  const key =
    algorithm === 8 || algorithm === 10
      ? await crypto.subtle.importKey('jwk', rsaOf(bytes), kind.import, false, ['verify'])
      : await crypto.subtle.importKey(
          'raw',
          algorithm === 15 ? bytes : join(Uint8Array.of(4), bytes),
          kind.import,
          false,
          ['verify'],
        )
  return crypto.subtle.verify(kind.verify, key, signature, text)
}
/** An RSA key of a DNSKEY record (RFC 3110): exponent with its length first, then the modulus. */
function rsaOf(bytes: Bytes): { kty: string; e: string; n: string } {
  const isLong = bytes[0] === 0
  const from = isLong ? 3 : 1
  const length = isLong ? ((bytes[1] ?? 0) << 8) | (bytes[2] ?? 0) : (bytes[0] ?? 0)
  const text = (some: Bytes) =>
    btoa(String.fromCharCode(...some)).replace(/[+/=]/g, (c) => ({ '+': '-', '/': '_' })[c] ?? '')
  return { kty: 'RSA', e: text(bytes.slice(from, from + length)), n: text(bytes.slice(from + length)) }
}
export const isSame = (a: Bytes, b: Bytes): boolean => a.length === b.length && a.every((byte, i) => byte === b[i])
export function compare(a: Bytes, b: Bytes): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0)
  return a.length - b.length
}
