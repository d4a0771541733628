import * as z from 'zod'
import { edgesOfSite, fetchedOverTls, LET_THEM_FETCH_OVER_HTTP } from '../../edges/ofSite.ts'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { App } from '../../kit/app/app.ts'
import { Refusal } from '../../kit/http/errors.ts'
import { isPublic } from './custom.ts'
import { certificatesIn } from './read.ts'

const Trust = z.object({ wrong: z.string().nullable() })

/**
 * Why visitors would get 502 from the edges of a website with this certificate; undefined: they would not. The edges themselves
 * are asked about a certificate of an authority that is not public: somebody may have made an edge trust the authority. Do not
 * call inside a transaction.
 */
export async function distrustOfEdges(app: App, websiteId: number, chain: string): Promise<string | undefined> {
  if (isPublic(certificatesIn(chain) ?? []) || !(await fetchedOverTls(app.db, websiteId))) return undefined
  const edges = await edgesOfSite(app.db, websiteId)
  const reasons = await Promise.all(
    edges.map(async ({ serverId, serverName, vhostId }) => {
      const asked = liveRead(app, serverId, 'edge-site.trust', { vhostId, chain })
      const wrong = await asked.then(
        (answer) => Trust.parse(answer).wrong,
        (error: unknown) => {
          if (error instanceof Refusal) return `it comes from no public authority, and ${error.message}`
          throw error
        },
      )
      return wrong === null ? [] : [`${serverName} fetches over TLS and would not trust it: ${wrong}`]
    }),
  )
  const [first] = reasons.flat()
  return first && `${first}. Use a certificate of a public authority, or ${LET_THEM_FETCH_OVER_HTTP}`
}
