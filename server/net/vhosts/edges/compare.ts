import type { EdgeDiff } from '@innkeeper/contract/net/vhosts/shapes'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { chunks } from '../../../kit/db/chunks.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { diffOf } from '../diff.ts'
import type { Behind, Edge } from './behind.ts'
import { rulesToCompare } from './rules.ts'
import { edgeInput } from './steps.ts'

const Answer = z.object({
  differing: z.array(
    z.object({
      vhostId: z.int(),
      file: z.string(),
      is: z.string(),
      wanted: z.string(),
      /** Whether the edge uses a certificate; absent: an older agent, which does not check. */
      certificate: z.boolean().optional(),
    }),
  ),
})
type Difference = EdgeDiff & { certificate?: boolean | undefined }
/** An edge and the websites behind it. */
export interface Asked {
  edge: Edge
  behinds: Behind[]
}
export type Compared = Asked & { differing: Difference[] }
export type Silent = { edge: Edge; reason: string }

/** Number of websites per request to an agent. */
const AT_ONCE = 500

/** Compares the files on an edge with the desired ones; returns the reason if the edge does not answer. */
export async function compare(app: App, { edge, behinds }: Asked): Promise<Compared | Silent> {
  const differing: Difference[] = []
  for (const some of chunks(behinds, AT_ONCE)) {
    const said = await liveRead(app, edge.serverId, 'edge-sites.compare', { sites: some.map(wanted) }).catch(
      (error: unknown) => {
        if (error instanceof Refusal) return error
        throw error
      },
    )
    if (said instanceof Refusal) return { edge, reason: said.message }
    const answer = Answer.safeParse(said).data
    if (!answer) return { edge, reason: `${edge.serverName} answered what Innkeeper does not understand` }
    for (const { vhostId, file, certificate, ...texts } of answer.differing) {
      const about = some.find(({ id }) => id === vhostId)
      if (!about) continue // an edge is believed only about what it was asked
      differing.push({
        vhostId,
        domain: about.site.domain,
        network: edge.network,
        serverName: edge.serverName,
        file,
        lines: diffOf(texts.is, texts.wanted),
        certificate,
      })
    }
  }
  return { edge, behinds, differing }
}

const wanted = (behind: Behind) => ({
  ...edgeInput(behind),
  ...rulesToCompare(behind),
  tls: behind.served
    ? { fingerprint: behind.served.certificate.fingerprint, redirect: behind.served.https.redirect }
    : null,
})

/** Comparison results in the form of the contract. */
export const shown = (found: readonly (Compared | Silent)[]) => ({
  differing: found.flatMap((one) =>
    'differing' in one ? one.differing.map(({ certificate: _, ...difference }) => difference) : [],
  ),
  silent: found.flatMap((one) => ('reason' in one ? [{ serverName: one.edge.serverName, reason: one.reason }] : [])),
})
