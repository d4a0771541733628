import type { Answer } from '@innkeeper/contract/agent/door'
import { letPass } from '../../bin/pass.ts'
import type { Dice } from './dice.ts'
import { peerOf } from './peer.ts'
import type { Managed, World } from './world.ts'

interface Ended {
  id: number
  attempt: number
}

/**
 * Sends all past answers of the agent three times in another order, and answers that contradict finished actions or
 * belong to past or invented attempts. Throws if an answer changes a finished action.
 */
export async function replay(world: World, { id: serverId, host }: Managed, d: Dice): Promise<string> {
  const ended = await world.look<Ended>(
    `select action_id::int as id, attempt from actions where server_id = $1 and attempt > 0
      and status in ('done', 'undone', 'skipped') order by action_id desc limit 40`,
    [serverId],
  )
  const open = await world.look<Ended>(
    `select action_id::int as id, attempt from actions where server_id = $1 and status in ('running', 'unknown')`,
    [serverId],
  )
  const status = 'failed'
  const reason = 'invented by the test'
  const forged: Answer[] = [
    ...ended.flatMap(({ id, attempt }) =>
      [attempt - 1, attempt, attempt + 1].filter(Boolean).map((n) => ({ id, attempt: n, status, reason }) as const),
    ),
    ...open.flatMap(({ id, attempt }) =>
      [attempt - 1, attempt + 1].filter(Boolean).map((n) => ({ id, attempt: n, status, reason }) as const),
    ),
  ]
  const over = new Set(ended.map(({ id }) => id))
  const peer = peerOf(host)
  const answers = shuffled([...peer.answers, ...peer.answers, ...forged], d)
  for (let at = 0; at < answers.length; at += 150) {
    const { accepted } = await peer.report({ held: [], chunks: [], answers: answers.slice(at, at + 150) })
    const wrong = accepted.filter((id) => over.has(id))
    if (wrong.length) throw new Error(`Answers changed finished actions: ${wrong}`)
    await letPass(d.below(60), 'the moment is drawn')
  }
  return `${answers.length} answers, ${forged.length} of them forged`
}

function shuffled<T>(items: T[], d: Dice): T[] {
  return items
    .map((item) => ({ item, at: d.below(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
