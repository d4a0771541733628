import { AuthorityKeyIdentifierExtension, X509Certificate } from '@peculiar/x509'
import { certificatesIn } from '../certificates/read.ts'

/**
 * The id of a certificate in renewal information (RFC 9773): key id of its issuer, and serial. Undefined when the
 * certificate names no issuer key.
 */
export function ariIdOf(chain: string): string | undefined {
  const [leaf] = certificatesIn(chain) ?? []
  if (!leaf) return undefined
  const { keyId } = new X509Certificate(leaf.raw).getExtension(AuthorityKeyIdentifierExtension) ?? {}
  if (!keyId) return undefined
  const hex = leaf.serialNumber.padStart(leaf.serialNumber.length + (leaf.serialNumber.length % 2), '0')
  // DER is signed: a leading zero byte keeps the serial positive
  const serial = Buffer.from(/^[89a-f]/i.test(hex) ? `00${hex}` : hex, 'hex')
  return `${Buffer.from(keyId, 'hex').toString('base64url')}.${serial.toString('base64url')}`
}

/**
 * When to renew: a random moment within the authority's window, else around two thirds of the lifetime, spread so that
 * certificates issued together are not renewed together.
 */
export function renewalTime(
  { notBefore, notAfter }: { notBefore: string; notAfter: string },
  window?: { start: string; end: string } | null,
  dice: () => number = Math.random,
): string {
  const within = (start: number, end: number) =>
    new Date(start + Math.floor(dice() * Math.max(0, end - start))).toISOString()
  if (window) return within(Date.parse(window.start), Date.parse(window.end))
  const [begin, end] = [Date.parse(notBefore), Date.parse(notAfter)]
  const life = end - begin
  return within(begin + (life * 2) / 3 - life / 24, begin + (life * 2) / 3 + life / 24)
}
