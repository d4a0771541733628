import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../../../kit/db/db.ts'

const Compared = z.object({
  /** Zones in which the server differs; nulls: the server lacks the zone. */
  differing: z.array(
    z.object({
      domain: z.string(),
      serial: z.int().min(0).max(4_294_967_295).nullable(),
      digest: z.string().nullable(),
      fault: z.string().nullable().optional(),
    }),
  ),
  /** Zones on the server that should be on no server. */
  present: z.array(z.string()),
})
const Asked = z.object({
  zones: z.array(z.object({ domain: z.string(), serial: z.int(), dnskeys: z.array(z.string()).optional() })),
})
export interface Drift {
  seen: 'missing' | 'behind' | 'different' | 'bogus'
  why: string | null
  serial: number | null
}
/**
 * The comparisons of a sync. What a server says about zones that it was not asked about, or twice, does not count.
 * `differing` null: its answer was not understood.
 */
export async function comparedIn(db: Db, request: string) {
  const found = await rows<{ serverId: number; name: string; address: string | null; input: unknown; output: unknown }>(
    db,
    sql`select a.server_id as "serverId", a.resource_name as name, s.address, a.input, a.output from actions a
      join workflows w on w.workflow_id = a.workflow_id join servers s on s.server_id = a.server_id
      where w.request = ${request} and a.name = 'dns-zones.compare' and a.status = 'done' order by a.position`,
  )
  return found.map(({ input, output, ...server }) => {
    const { zones } = Asked.parse(input)
    const said = Compared.safeParse(output).data
    const byDomain = new Map(said?.differing.map((one) => [one.domain, one]))
    const differing = said ? zones.flatMap(({ domain }) => byDomain.get(domain) ?? []) : null
    return { ...server, zones, differing, present: said?.present ?? [] }
  })
}
/** Number of signed zones that are validated at the same time. */
export const VALIDATED_AT_ONCE = 8
