import * as z from 'zod'
import { instant } from '../../kit/endpoint.ts'
import type { ZoneKey } from './dnskey.ts'

/** What a key signs: everything (CSK), the keys alone (KSK), or the records alone (ZSK). Registries get no DS record of a ZSK. */
export const keyKinds = ['CSK', 'KSK', 'ZSK'] as const
type Signing = Pick<ZoneKey, 'dnskey' | 'active'>
type Kind = (typeof keyKinds)[number]

/** Adds the kinds of the keys of a zone. As in PowerDNS, the keys of an algorithm are CSKs unless its active keys are of both flags. */
export function withKinds<T extends Signing>(keys: readonly T[]): (T & { kind: Kind })[] {
  const has = (dnskey: string, flags: string) =>
    keys.some((one) => one.active && one.dnskey.startsWith(flags) && algorithmOf(one.dnskey) === algorithmOf(dnskey))
  return keys.map((key) => {
    const isPair = has(key.dnskey, '257') && has(key.dnskey, '256')
    return { ...key, kind: !isPair ? 'CSK' : key.dnskey.startsWith('257') ? 'KSK' : 'ZSK' }
  })
}

/** The keys that sign the DNSKEY record set. The parent zone has to have the DS record of one of them. */
export const entryKeys = <T extends Signing>(keys: readonly T[]): T[] =>
  withKinds(keys).filter(({ active, kind }) => active && kind !== 'ZSK')

/** Splits the keys of a zone into those that it has and those that will replace them, which were made later. */
export function generations(keys: readonly ZoneKey[]): { former: ZoneKey[]; next: ZoneKey[] } {
  const first = keys.map(({ since }) => since).sort()[0] ?? ''
  return { former: keys.filter(({ since }) => since === first), next: keys.filter(({ since }) => since > first) }
}

const algorithmOf = (dnskey: string): string | undefined => dnskey.split(' ')[2]

const kind = z.enum(keyKinds)
/** What people see of a key. `next`: it will replace the others. */
export const ShownKey = z.object({
  ...{ tag: z.int(), kind, ds: z.string(), active: z.boolean(), since: instant, next: z.boolean() },
})
/** A key with its private half, and its name as a file of BIND. */
export const ExportedKey = z.object({
  ...{ tag: z.int(), kind, active: z.boolean(), dnskey: z.string(), privateKey: z.string(), file: z.string() },
})
