import { type Bytes, join, nameBytes, two } from './wire.ts'

/** Public half of a key that signs a zone, as stored in the database. */
export interface ZoneKey {
  tag: number
  /** In the format of a zone file: `257 3 13 …`. */
  dnskey: string
  /** Digest for the registry (SHA-256): `12345 13 2 …`. */
  ds: string
  /** True: the key signs the zone. */
  active: boolean
  /** When it was made. */
  since: string
}

/** A DNSKEY record in wire format. */
export function keyBytes(dnskey: string): Bytes {
  const [flags = '', protocol = '', algorithm = '', ...key] = dnskey.trim().split(/\s+/)
  return join(two(Number(flags)), Uint8Array.of(Number(protocol), Number(algorithm)), fromBase64(key.join('')))
}

/** The number by which signatures name their key (RFC 4034, appendix B). */
export function tagOf(rdata: Bytes): number {
  const sum = rdata.reduce((all, byte, i) => all + (i % 2 ? byte : byte << 8), 0)
  return (sum + (sum >>> 16)) & 0xffff
}

/** By the number of their type in a DS record. */
const digests: Record<number, string> = { 1: 'SHA-1', 2: 'SHA-256', 4: 'SHA-384' }
const SHA_256 = 2

/** The DS record of a key; undefined if the digest type is unknown. */
export async function dsOf(zone: string, dnskey: string): Promise<string>
export async function dsOf(zone: string, dnskey: string, type: number): Promise<string | undefined>
export async function dsOf(zone: string, dnskey: string, type = SHA_256): Promise<string | undefined> {
  const algorithm = digests[type]
  if (!algorithm) return undefined
  const rdata = keyBytes(dnskey)
  const digest = new Uint8Array(await crypto.subtle.digest(algorithm, join(nameBytes(zone), rdata)))
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${tagOf(rdata)} ${rdata[3]} ${type} ${hex}`
}

export const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
export const toBase64 = (bytes: Bytes): string => btoa(String.fromCharCode(...bytes))

/** A fresh key (ECDSA P-256): its DNSKEY record, and the private half in BIND's format. Alone it signs the whole zone. */
export async function makeKey(flags: 256 | 257 = 257): Promise<{ dnskey: string; privateKey: string }> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const { d = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const bytes = (text: string) => fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  return {
    dnskey: `${flags} 3 13 ${toBase64(join(bytes(x), bytes(y)))}`,
    privateKey: `Private-key-format: v1.2\nAlgorithm: 13 (ECDSAP256SHA256)\nPrivateKey: ${toBase64(bytes(d))}\n`,
  }
}
