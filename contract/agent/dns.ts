import * as z from 'zod'
import { recordTypes } from '../dns/records.ts'
import { address, domain } from '../values.ts'

const serial = z.int().min(0).max(4_294_967_295)
/** A full name in a zone without the final dot: `_dmarc.example.org`, `*.example.org`. */
const owner = z.string().regex(/^(?=.{1,253}$)(?:\*\.)?[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/)
/** All records of one name and type, in the format of the name server. No `contents`: the set is deleted. */
const recordSet = z.object({
  owner,
  recordType: z.enum(recordTypes),
  ttl: z.int().min(1).max(2_419_200),
  contents: z.array(z.string().regex(/^[ -~]{1,40000}$/)).max(201),
})
/** TSIG key (HMAC-SHA256) that signs zone transfers: 32 bytes in base64. */
const zoneKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)

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
    sets: z.array(recordSet).max(20_000),
    nameServer: domain,
    hostmaster: domain,
    signed: z.boolean(),
    secondaries: z.array(address).max(20),
    zoneKey,
  }),
  /** Makes a secondary transfer the zone from its primary, until it has this serial. */
  'dns-zone.fetch': z.object({ domain, serial, primary: address, zoneKey }),
  /** Deletes the zone from a primary or secondary. */
  'dns-zone.remove': z.object({ domain }),
  /** Answers which of `zones` differ by serial or digest, and which of `absent` the name server still has. */
  'dns-zones.compare': z.object({
    zones: z.array(z.object({ domain, serial, digest: z.string().regex(/^[0-9a-f]{32}$/) })).max(500),
    absent: z.array(domain).max(500),
  }),
  /** Answers what the name server has of a zone. Runs in the read lane and stores nothing. */
  'dns-zone.read': z.object({ domain }),
} as const
