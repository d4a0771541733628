import { type KeyObject, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { namesText } from '../../../kit/app/namesText.ts'
import { covers } from './names.ts'
import { certificatesIn, dateOf, fingerprintOf, issuerPlace, nameIn, namesOf, readKey } from './read.ts'

/** Extended key usages (RFC 5280, 4.2.1.12). */
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const ANY_USE = '2.5.29.37.0'

export interface Upload {
  certificate: string
  key?: string | undefined
  ca?: string | undefined
}

export interface Looked {
  problems: Record<string, string>
  warnings: string[]
  /** The leaf first, then the issuer of each certificate; a public root is left out. */
  chain: X509Certificate[]
  key?: KeyObject
}

/**
 * Validates an uploaded certificate and reports each problem at its field. `names`: the names that visitors of the
 * website use, its domain first.
 */
export function lookAt(
  { certificate, key: keyText, ca = '' }: Upload,
  names: readonly string[],
  now = new Date(),
): Looked {
  const problems: Record<string, string> = {}
  const warnings: string[] = []
  const given = certificatesIn(certificate)
  const more = certificatesIn(ca)
  const key = keyText === undefined ? undefined : readKey(keyText)
  const { leaf, rest } = leafOf(given ?? [], key)
  if (/PRIVATE KEY/.test(certificate + ca))
    problems.certificate = 'This text contains a private key: paste the key into its own field'
  if (!leaf) problems.certificate ??= 'Not a certificate in PEM form (-----BEGIN CERTIFICATE-----)'
  if (!more || (ca.trim() && !more.length)) problems.ca = 'Not certificates in PEM form (-----BEGIN CERTIFICATE-----)'
  if (typeof key === 'string') problems.key = key
  if (!leaf) return { problems, warnings, chain: [] }

  if (key && typeof key !== 'string' && !leaf.checkPrivateKey(key))
    problems.key = 'This is the key of another certificate'
  if (leaf.ca && (leaf.subject !== leaf.issuer || rest.length))
    problems.certificate ??= 'This is a certificate of an authority, not of a website: the website’s own is missing'
  if (Date.parse(leaf.validTo) <= now.getTime()) problems.certificate ??= `The certificate ended ${day(leaf.validTo)}`
  else if (Date.parse(leaf.validFrom) > now.getTime())
    problems.certificate ??= `The certificate begins ${day(leaf.validFrom)}`
  // `keyUsage` of node is the extended key usage; a certificate without one is for every use
  const uses: readonly string[] | undefined = leaf.keyUsage
  if (uses && !uses.includes(SERVER_AUTH) && !uses.includes(ANY_USE))
    problems.certificate ??= 'The certificate is not for servers (extended key usage): browsers refuse it for a website'
  const own = names[0]
  if (own && !covers(namesOf(leaf), own))
    problems.certificate ??= `The certificate is for ${list(namesOf(leaf)) || 'no name at all'}, not for ${own}`
  for (const name of names.slice(1))
    if (!covers(namesOf(leaf), name)) warnings.push(`${name} is not in it: visitors by that name are warned`)

  const { chain, problem } = chainOf(leaf, [...rest, ...(more ?? [])], now)
  if (problem) problems[ca.trim() ? 'ca' : 'certificate'] ??= problem
  const days = Math.floor((Date.parse(leaf.validTo) - now.getTime()) / 86_400_000)
  if (days >= 0 && days < 30) warnings.push(`The certificate ends in ${days} ${days === 1 ? 'day' : 'days'}`)
  return { problems, warnings, chain, ...(key && typeof key !== 'string' && { key }) }
}

/** Finds the leaf among certificates in any order: the one that matches the key, else the first that is not a CA. */
function leafOf(given: readonly X509Certificate[], key: KeyObject | string | undefined) {
  const ofKey = typeof key === 'object' ? given.find((one) => one.checkPrivateKey(key)) : undefined
  const leaf = ofKey ?? given.find(({ ca }) => !ca) ?? given[0]
  return { leaf, rest: given.filter((one) => one !== leaf) }
}

/** Orders a chain from the leaf up to the last certificate below the root; each issuer's signature is verified. */
function chainOf(
  leaf: X509Certificate,
  pool: X509Certificate[],
  now: Date,
): { chain: X509Certificate[]; problem?: string } {
  const chain = [leaf]
  for (let last = leaf; chain.length < 10; ) {
    if (issuedBy(last, last)) break // a root, or a self-signed certificate
    const issuers = pool.filter((one) => !chain.includes(one) && issuedBy(last, one))
    const isOver = ({ validTo }: X509Certificate) => Date.parse(validTo) <= now.getTime()
    const next = issuers.find((one) => !isOver(one)) ?? issuers[0]
    if (!next || isOver(next)) {
      // the chain ends at a public root, even if more certificates were uploaded
      const trusted = chain.findIndex((one) => publicRoots().some((root) => issuedBy(one, root)))
      if (trusted >= 0) return { chain: chain.slice(0, trusted + 1) }
    }
    if (!next) {
      // a chain that fits so far lacks one certificate more: others beside it are not to blame
      const wrong = chain.length === 1 ? pool.find((one) => fingerprintOf(one) !== fingerprintOf(leaf)) : undefined
      const missing = `The certificate of its issuer is missing: ${nameIn(last.issuer)}`
      const place = issuerPlace(last)
      const said = [
        missing,
        ...(wrong ? [`${nameIn(wrong.subject)} has not issued it`] : []),
        ...(place ? [`Its authority hands it out at ${place}`] : []),
      ]
      return { chain, problem: said.join('. ') }
    }
    if (isOver(next)) return { chain, problem: `${nameIn(next.subject)} in its chain ended ${day(next.validTo)}` }
    chain.push(next)
    last = next
  }
  const top = chain.at(-1)
  // clients that trust a root have a copy: the root is not sent
  return { chain: chain.length > 1 && top && issuedBy(top, top) ? chain.slice(0, -1) : chain }
}

/** Whether `issuer` issued `one`, by name and signature; the issuer must be a CA. */
function issuedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  const fits = one === issuer ? one.subject === one.issuer : issuer.ca && one.checkIssued(issuer)
  return fits && one.verify(issuer.publicKey)
}

/** Whether the last certificate of a chain is issued by a public root. */
export function isPublic(chain: readonly X509Certificate[]): boolean {
  const top = chain.at(-1)
  return top !== undefined && publicRoots().some((root) => issuedBy(top, root))
}

let roots: X509Certificate[] | undefined
/** The root certificates that node includes, parsed once. */
function publicRoots(): X509Certificate[] {
  roots ??= rootCertificates.map((pem) => new X509Certificate(pem))
  return roots
}

const day = (text: string) => dateOf(text).slice(0, 10)
const list = (names: string[]) => namesText(names, 3)
