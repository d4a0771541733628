import * as z from 'zod'
import { domain, machineAddress } from '../../kit/values.ts'

/** A time of the SOA record in seconds. */
const seconds = (least: number, most: number, what: string) =>
  z
    .preprocess((v) => (typeof v === 'string' && /^\d{1,7}$/.test(v.trim()) ? Number(v) : v), z.number())
    .pipe(z.int().min(least, `${what}: at least ${least} s`).max(most, `${what}: at most ${most} s`))

/** Times of the SOA record, as secondaries and resolvers read them. */
export const soaTimes = z
  .object({
    /** How often secondaries check whether the zone has changed. */
    refresh: seconds(300, 604_800, 'Refresh'),
    /** How soon secondaries try again if the primary does not answer. */
    retry: seconds(60, 86_400, 'Retry'),
    /** How long secondaries answer without a primary. */
    expire: seconds(86_400, 4_838_400, 'Expire'),
    /** How long resolvers cache that a name does not exist. */
    minimum: seconds(0, 86_400, 'Negative caching'),
  })
  .refine(({ refresh, retry }) => retry <= refresh, { path: ['retry'], error: 'Retry: not longer than refresh' })
  .refine(({ refresh, retry, expire }) => expire > refresh + retry, {
    path: ['expire'],
    error: 'Expire: longer than refresh and retry together',
  })
export type SoaTimes = z.output<typeof soaTimes>

/** Address of a name server that Innkeeper does not manage. */
export const outsideServers = z
  .array(machineAddress)
  .max(10)
  .refine((all) => new Set(all).size === all.length, 'An address is listed twice')

export const zoneOptions = z.object({
  soa: soaTimes,
  /** True: hashed names prove that a name does not exist, so that nobody can list the zone. */
  nsec3: z.boolean(),
  /** True: the zone publishes its DS record for registries that read it (CDS, CDNSKEY). */
  cds: z.boolean(),
  /** External name servers, which are notified and may transfer the zone with the zone's own TSIG key. */
  outside: outsideServers,
})
/** The options as they are stored and answered. */
export const ZoneOptions = zoneOptions.extend({
  soa: z.object({ refresh: z.int(), retry: z.int(), expire: z.int(), minimum: z.int() }),
  outside: z.array(z.string()),
})
export type ZoneOptions = z.output<typeof ZoneOptions>
export const USUAL_OPTIONS: ZoneOptions = {
  soa: { refresh: 10_800, retry: 3600, expire: 604_800, minimum: 300 },
  ...{ nsec3: false, cds: false, outside: [] },
}

export const soaText = ({ refresh, retry, expire, minimum }: SoaTimes): string =>
  `${refresh} ${retry} ${expire} ${minimum}`
/** Name of the TSIG key with which outside name servers transfer a zone. */
export const outsideKeyName = (domain: string): string => `transfer.${domain}`

/** The mailbox of SOA records, as an address or in the notation of DNS, with a dot for the @. */
export const hostmaster = z
  .string()
  .trim()
  .refine(
    (typed) => !typed.includes('@') || !typed.slice(0, typed.indexOf('@')).includes('.'),
    'Without a dot before the @, which DNS would read as part of the domain: an address such as hostmaster@example.org',
  )
  .transform((typed) => typed.replace('@', '.'))
  .pipe(domain)
