import { getServers } from 'node:dns'
import { dsOf, type ZoneKey } from '@innkeeper/contract/net/dns/dnskey'
import { entryKeys } from '@innkeeper/contract/net/dns/keyKinds'
import { typeNumbers } from '@innkeeper/contract/net/dns/wire'
import type { App } from '../../../kit/app/app.ts'
import { askAt } from './ask.ts'

/** The resolver of the settings, or those of this machine. */
export const resolversOf = ({ settings }: Pick<App, 'settings'>): string[] =>
  settings.resolver ? [settings.resolver] : getServers()

/** The DS records in the parent zone, as text; or why they are unknown. */
async function dsAtParent(domain: string, resolvers: readonly string[]): Promise<string[] | { unknown: string }> {
  let last = 'this machine has no resolver'
  for (const resolver of resolvers) {
    const [, host = resolver, port = '53'] =
      /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(
        resolver.includes('.') || resolver.startsWith('[') ? resolver : `[${resolver}]`,
      ) ?? []
    try {
      const { code, answers } = await askAt(host, { port: Number(port), recursive: true, patienceMs: 2000 })(
        domain,
        typeNumbers.DS,
      )
      const ds = answers.filter(({ type }) => type === typeNumbers.DS)
      if (ds.length || code === 0 || code === 3) return ds.map(({ data }) => textOf(data))
      last = `the resolver ${host} answers code ${code}`
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
    }
  }
  return { unknown: last }
}

/** `12345 13 2 …` of the data of a DS record. */
const textOf = (data: Uint8Array): string => {
  const hex = [...data.slice(4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${((data[0] ?? 0) << 8) | (data[1] ?? 0)} ${data[2]} ${data[3]} ${hex}`
}

/**
 * Why a zone must stay signed: its parent zone has a DS record, or cannot be asked. Undefined: resolvers do not expect
 * signatures.
 */
export async function stillTrusted(domain: string, resolvers: readonly string[]): Promise<string | undefined> {
  const found = await dsAtParent(domain, resolvers)
  if ('unknown' in found)
    return `Whether the parent zone of ${domain} has a DS record is unknown: ${found.unknown}. With a DS record and without signatures, every validating resolver refuses the domain.`
  return found.length
    ? `The parent zone of ${domain} still has a DS record: without signatures, every validating resolver refuses the domain. Remove the DS record at the registry and wait for its TTL first.`
    : undefined
}

/** Why these keys alone must not sign a zone: the parent zone has DS records but none of theirs, or cannot be asked. */
export async function untrusting(
  domain: string,
  keys: readonly ZoneKey[],
  resolvers: readonly string[],
): Promise<string | undefined> {
  const entries = entryKeys(keys)
  const tag = entries.map(({ tag }) => tag).join(' or ')
  const found = await dsAtParent(domain, resolvers)
  if ('unknown' in found)
    return `Whether the parent zone of ${domain} has the DS record of the key ${tag} is unknown: ${found.unknown}. Without that DS record, every validating resolver refuses the domain.`
  if (!found.length) return undefined
  // parent zones may have digests other than the one that people see
  const types = new Set(found.map((ds) => Number(ds.split(' ')[2])))
  const theirs = await Promise.all(
    entries.flatMap(({ dnskey }) => [...types].map((type) => dsOf(domain, dnskey, type))),
  )
  return !theirs.some((ds) => ds !== undefined && found.includes(ds))
    ? `The parent zone of ${domain} has no DS record of the key ${tag}: with this key alone, every validating resolver refuses the domain. Add the DS record at the registry and wait for the TTL of the former one first.`
    : undefined
}
