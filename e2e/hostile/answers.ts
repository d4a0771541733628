import type { Answer, Op } from '@innkeeper/contract/agent/door'
import type { Peer } from '../../agent/test/peer.ts'
import { until } from '../until.ts'

const keyOf = ({ id, attempt }: Pick<Op, 'id' | 'attempt'>) => `${id}/${attempt}`

/**
 * Hands out operations and waits for their answers, in order. An agent repeats an answer whose receipt was lost, so
 * duplicates and answers to earlier operations may arrive. Throws when the agent is no longer `alive`.
 */
export async function answersTo(
  ops: readonly Op[],
  { ready, heard }: Pick<Peer, 'ready'> & { heard: Pick<Peer['heard'], 'answers'> },
  alive: () => boolean,
): Promise<Answer[]> {
  const wanted = new Set(ops.map(keyOf))
  const answers = new Map<string, Answer>()
  let at = heard.answers.length
  ready.push(...ops)
  const lacking = () => ops.filter((op) => !answers.has(keyOf(op))).map((op) => `${op.name} ${keyOf(op)}`)
  await until(
    `${ops.length} answers`,
    async () => {
      for (const answer of heard.answers.slice(at)) if (wanted.has(keyOf(answer))) answers.set(keyOf(answer), answer)
      at = heard.answers.length
      return answers.size === wanted.size || !alive()
    },
    5,
  ).catch((cause: Error) => {
    throw new Error(`No answer of ${lacking().slice(0, 10).join(', ')}; ${ready.length} operations wait`, { cause })
  })
  return ops.map((op) => {
    const answer = answers.get(keyOf(op))
    if (!answer) throw new Error(`The agent exited without answering ${keyOf(op)}`)
    return answer
  })
}
