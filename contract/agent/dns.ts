import * as z from 'zod'
import { address, domain } from '../kit/values.ts'
import { outsideServers, soaTimes } from '../net/dns/options.ts'
import { isType, MAX_RECORDS, TTL } from '../net/dns/records.ts'
import type { RecordType } from '../net/dns/recordTypes.ts'

const serial = z.int().min(0).max(4_294_967_295)
/** A full name in a zone without the final dot: `_dmarc.example.org`, `*.example.org`. */
const owner = z.string().regex(/^(?=.{1,253}$)(?:\*\.)?[a-z0-9_/-]{1,63}(?:\.[a-z0-9_/-]{1,63})*$/)
/** All records of one name and type, in the format of the name server. No `contents`: the set is deleted. */
const recordSet = z.object({
  owner,
  recordType: z.custom<RecordType>((type) => typeof type === 'string' && isType(type)),
  ttl: z.int().min(TTL.min).max(TTL.max),
  contents: z.array(z.string().regex(/^[ -~]{1,40000}$/)).max(201),
})
/** TSIG key (HMAC-SHA256) that signs zone transfers: 32 bytes in base64. */
const zoneKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)

const dnskey = z.string().regex(/^25[67] 3 \d{1,3} [A-Za-z0-9+/=]{20,2000}$/)
/** Role of a name server for a zone: primary (`from` is null), or secondary that copies from the address `from`. */
const role = {
  from: address.nullable().optional(),
  /** DNSKEY records of a signed zone; empty: unsigned. */
  dnskeys: z.array(dnskey).max(8).optional(),
}
/** The keys of a zone with their private halves. Agents get them as JSON text, because a secret is one text. */
export const ZoneKeys = z
  .array(
    z.object({
      dnskey,
      active: z.boolean(),
      /** In the private-key format of BIND. */
      privateKey: z.string().min(1).max(8000),
    }),
  )
  .max(8)
export type ZoneKeys = z.output<typeof ZoneKeys>

/** Operations on the zones of name servers. */
export const dnsOperations = {
  /**
   * Writes record sets to the primary and sets the serial. `whole` replaces the zone, and creates the zone if it is
   * missing; otherwise other sets stay. Does nothing if the zone already has a higher serial.
   */
  'dns-zone.ensure': z.object({
    domain,
    serial,
    whole: z.boolean(),
    sets: z.array(recordSet).max(MAX_RECORDS),
    nameServer: domain,
    hostmaster: domain,
    signed: z.boolean(),
    /** `ZoneKeys` as JSON: exactly these keys sign the zone. Absent: the keys that the server has. */
    keys: z.string().max(60_000).optional(),
    secondaries: z.array(address).max(20),
    zoneKey,
    soa: soaTimes.optional(),
    nsec3: z.boolean().optional(),
    cds: z.boolean().optional(),
    outside: outsideServers.optional(),
    /** Key with which `outside` may transfer the zone. */
    outsideKey: zoneKey.optional(),
  }),
  /** Makes a secondary transfer the zone from its primary, until it has this serial. */
  'dns-zone.fetch': z.object({
    ...{ domain, serial, primary: address, zoneKey },
    /** True: the primary signs; the signatures are copied, and the copy is marked PRESIGNED. Absent: not checked. */
    signed: z.boolean().optional(),
  }),
  /** Deletes the zone from a primary or secondary. */
  'dns-zone.remove': z.object({ domain }),
  /**
   * Answers which of `zones` differ by serial, digest, role or keys, and which of `absent` the name server still has.
   */
  'dns-zones.compare': z.object({
    from: role.from,
    zones: z
      .array(z.object({ domain, serial, digest: z.string().regex(/^[0-9a-f]{32}$/), dnskeys: role.dnskeys }))
      .max(500),
    absent: z.array(domain).max(500),
  }),
  /** Answers the zone as the name server has it. Runs in the read lane and stores nothing. */
  'dns-zone.read': z.object({ domain, ...role }),
  /** Answers the keys of a zone, encrypted for the holder of `reader` (X25519). Runs in the read lane. */
  'dns-zone.keys': z.object({ domain, reader: z.string().regex(/^[A-Za-z0-9+/]{43}=$/) }),
} as const
