import type { CheckAnswer } from '@innkeeper/contract/agent/monitoring'
import { sql } from 'drizzle-orm'

/** An edge through which visitors reach a website. */
export interface Through {
  serverId: number
  vhostId: number
  name: string
  address: string
  /** True: the edge fetches over TLS and checks the certificate of the website. */
  verifies: boolean
}

/** The live edges of the website `m.website_id` as JSON, at most one per network. */
export const edgesAsJson = sql`coalesce((select jsonb_agg(jsonb_build_object('serverId', s.server_id, 'vhostId', v.vhost_id, 'name', s.name,
    'address', s.address, 'verifies', coalesce(v.rules ->> 'fetch' = 'https', false)) order by e.network)
  from vhosts v join vhost_edges e on e.vhost_id = v.vhost_id join servers s on s.server_id = e.server_id
  where v.website_id = m.website_id and v.deleted_at is null and v.status = 'active' and e.state = 'live'
    and s.address is not null), '[]')`

interface Site {
  id: number
  domain: string
  address: string
  https: boolean
  path: string
  word: string | null
  edges?: readonly Through[] | undefined
}
/** Why an edge refuses the certificate of a website; null if it does not, or cannot be asked. */
export type Distrust = (edge: Through) => Promise<string | null>
/** Maximum number of reads of a reason at the same time. Websites beyond it get the plain reason until the next round. */
const MOST_ASKED = 20
type Ask<S> = (batch: { by: number | null; sites: S[] }) => Promise<{ answers: CheckAnswer[] }>

/**
 * Requests the websites that answered at their own server once more through each of their edges. A failure there replaces
 * the result of the website. An edge never asks itself. The word is not searched: an edge may ask for a password.
 */
export async function throughEdges<S extends Site>(
  by: number | null,
  sites: readonly S[],
  answers: readonly CheckAnswer[],
  ask: Ask<S & { edge: true }>,
  distrust: Distrust,
): Promise<CheckAnswer[]> {
  const found = new Map(answers.map((answer) => [answer.id, answer]))
  const most = Math.max(0, ...sites.map(({ edges }) => edges?.length ?? 0))
  for (let nth = 0; nth < most; nth++) {
    const edgeOf = ({ edges }: S) => edges?.[nth]
    const left = sites.filter((site) => edgeOf(site) && found.get(site.id)?.reason === null)
    for (const [asker, group] of Map.groupBy(left, (site) => (edgeOf(site)?.serverId === by ? null : by))) {
      const edgeById = new Map(group.map((site) => [site.id, edgeOf(site)]))
      const asked = group.map((site) => ({
        ...site,
        ...{ address: edgeOf(site)?.address ?? site.address, word: null, edge: true as const },
      }))
      const { answers } = await ask({ by: asker, sites: asked })
      let reads = 0
      const failed = answers.map(async ({ id, status, reason }) => {
        const [answer, edge] = [found.get(id), edgeById.get(id)]
        if (reason === null || !answer || !edge) return
        const why = status === 502 && edge.verifies && reads++ < MOST_ASKED ? await distrust(edge) : null
        const said = why === null ? reason : `${reason}, because it does not trust the certificate at ${why}`
        found.set(id, { ...answer, status, reason: `through the edge ${edge.name}: ${said}`.slice(0, 300) })
      })
      await Promise.all(failed)
    }
  }
  return [...found.values()]
}
