import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { Refusal } from '../../../kit/http/errors.ts'
import { action, type PlanStep, type Resource, step } from '../../../kit/work/action.ts'
import { compare } from './compare.ts'
import { drifted, edgesToAsk, remember, repair } from './resync.ts'

/** Locked websites are waited for while their workflows go on, but for no longer. */
const PATIENCE_MS = 600_000

const edgesRenew = action('edges.renew', z.object({ serverId: z.int(), by: z.string() }), {
  title: 'Websites behind it',
  what: () => 'rewrites the files that the new agent writes differently',
  lane: 'long',
  async run({ serverId, by }, { app, say, fence, signal }) {
    const begun = new Set<number>()
    for (let end = performance.now() + PATIENCE_MS; ; await sleep(1000, undefined, { signal })) {
      const [asked] = await edgesToAsk(app.db, { serverId })
      if (!asked) return say('no website is behind this edge')
      const compared = await compare(app, asked)
      if ('reason' in compared) throw new Error(compared.reason)
      await app.db.transaction((tx) => remember(tx, compared))
      const busy: string[] = []
      const before = begun.size
      for (const one of drifted([compared]).filter(({ behind }) => !begun.has(behind.id))) {
        fence()
        try {
          await app.db.transaction((tx) => repair(tx, one, { id: null, name: by }))
          begun.add(one.behind.id)
          say(`${one.behind.site.domain} gets new files`)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          busy.push(error.message)
        }
      }
      if (begun.size > before) end = performance.now() + PATIENCE_MS
      if (busy.length && performance.now() < end) continue
      for (const reason of busy) say(`left for "Compare edges": ${reason}`)
      return say(`${begun.size} of ${asked.behinds.length} websites differed`)
    }
  },
})

/**
 * After an agent update: compares the files of websites behind an edge with those of the new agent and repairs
 * differences, with one workflow per website.
 */
export const edgesRenewed = (serverId: number, by: string, resource: Resource): PlanStep =>
  step(edgesRenew, { serverId, by }, { resource })
