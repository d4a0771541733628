import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { edgesOfSite, fetchedOverTls, LET_THEM_FETCH_OVER_HTTP } from '../siteEdges.ts'
import { isPublic } from './custom.ts'
import { certificatesIn } from './read.ts'

const Trust = z.object({ wrong: z.string().nullable() })

/**
 * Why visitors would get 502 from the edges of a website with this certificate; undefined: they would not. Do not call inside a
 * transaction.
 */
export async function distrustOfEdges(app: App, websiteId: number, chain: string): Promise<string | undefined> {
  if (!(await fetchedOverTls(app.db, websiteId))) return undefined
  const found = await distrusting(app, websiteId, chain)
  return (
    found &&
    `${found.edge} fetches over TLS and would not trust it: ${found.why}. Use a certificate of a public authority, or ${LET_THEM_FETCH_OVER_HTTP}`
  )
}

/**
 * The first edge of a website that would not trust a certificate. The edges themselves are asked about a certificate of an
 * authority that is not public: somebody may have made an edge trust the authority. Do not call inside a transaction.
 */
export async function distrusting(app: App, websiteId: number, chain: string) {
  if (isPublic(certificatesIn(chain) ?? [])) return undefined
  const edges = await edgesOfSite(app.db, websiteId)
  const found = await Promise.all(
    edges.map(async ({ serverId, serverName, vhostId }) => {
      const asked = liveRead(app, serverId, 'edge-site.trust', { vhostId, chain })
      const why = await asked.then(
        (answer) => {
          const said = Trust.safeParse(answer).data
          return said ? said.wrong : 'its answer was not understood'
        },
        (error: unknown) => {
          if (error instanceof Refusal) return `it comes from no public authority, and ${error.message}`
          throw error
        },
      )
      return why === null ? [] : [{ edge: serverName, why }]
    }),
  )
  return found.flat()[0]
}
