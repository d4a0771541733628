import * as z from 'zod'
import { recordTypes } from '../dns/records.ts'
import { address, domain } from '../values.ts'

const serial = z.int().min(0).max(4_294_967_295)
/** A name in a zone, whole and without its last dot: `_dmarc.example.org`, `*.example.org`. */
const owner = z.string().regex(/^(?=.{1,253}$)(?:\*\.)?[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/)
/** All records of one name and type, as the name server writes them; none: the set goes. */
const recordSet = z.object({
  owner,
  recordType: z.enum(recordTypes),
  ttl: z.int().min(1).max(2_419_200),
  contents: z.array(z.string().regex(/^[ -~]{1,40000}$/)).max(201),
})
/** 32 bytes in base64: what name servers sign their transfers with (TSIG, HMAC-SHA256). */
const zoneKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)

/** What name servers answer. */
export const dnsOperations = {
  /**
   * The primary has these sets of a zone at this serial. `whole`: these and no others, and the zone is made where it is
   * not there; else all others stay. A serial that the zone has passed already changes nothing.
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
  /** A secondary has the zone from its primary, and has come to this serial. */
  'dns-zone.fetch': z.object({ domain, serial, primary: address, zoneKey }),
  /** Neither a primary nor a secondary answers the zone any more. */
  'dns-zone.remove': z.object({ domain }),
  /** Which of these zones this name server has otherwise, by serial and digest; which of `absent` it still has. */
  'dns-zones.compare': z.object({
    zones: z.array(z.object({ domain, serial, digest: z.string().regex(/^[0-9a-f]{32}$/) })).max(500),
    absent: z.array(domain).max(500),
  }),
  /** A live look, in the read lane: what this name server has of a zone. */
  'dns-zone.read': z.object({ domain }),
} as const
