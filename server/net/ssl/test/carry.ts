import type { Answer } from '@innkeeper/contract/agent/door'
import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { rootOf } from '../../../kit/db/failures.ts'
import { ownWork } from '../../../kit/work/action.ts'
import { finish } from '../../../kit/work/claim.ts'
import { openQueue } from '../../../kit/work/queue.ts'

export interface Hand {
  /** Operations that the agents have received, with their inputs, including keys. */
  asked: { name: string; task: string; input: Record<string, unknown> }[]
  /** Name of the operation that shall fail, if any. */
  failing: string | undefined
  /** The log lines. */
  said: string[]
  /** Runs all actions until the workflow ends or stops; returns its status. */
  carryOut(workflowId: number): Promise<string>
}

/**
 * For tests: fake agents of these servers, which report every operation as done, and the real worker. Probes succeed.
 */
export function handOf(app: App, servers: () => number[]): Hand {
  const hand: Hand = {
    asked: [],
    failing: undefined,
    said: [],
    async carryOut(workflowId) {
      const queue = await openQueue(app)
      try {
        for (;;) {
          let went = 0
          for (const server of [...servers(), null])
            for (const lane of ['short', 'long'] as const)
              for (const op of (await queue.next(server, lane, 4, 0)).ops) {
                went++
                const end: Partial<Answer> = server === null ? await own(op.name, op.task, op.input) : agent(op)
                await finish(app.db, server, [{ id: op.id, attempt: op.attempt, status: 'done', ...end }])
              }
          const [workflow] = await rows<{ status: string }>(
            app.db,
            sql`select status from workflows where workflow_id = ${workflowId}`,
          )
          if (workflow && workflow.status !== 'running') return workflow.status
          if (!went) throw new Error(`workflow ${workflowId} waits for somebody`)
        }
      } finally {
        queue.close()
      }
    },
  }
  const agent = ({
    name,
    task,
    input,
  }: {
    name: string
    task: string
    input: Record<string, unknown>
  }): Partial<Answer> => {
    hand.asked.push({ name, task, input })
    return name === hand.failing && task === 'run' ? { status: 'failed', reason: 'made to fail' } : {}
  }
  const own = async (name: string, task: 'run' | 'undo', input: Record<string, unknown>): Promise<Partial<Answer>> => {
    const work = ownWork(name)
    if (name.endsWith('probe') || !work) return {}
    const say = (text: string) => void hand.said.push(text)
    const { signal } = new AbortController()
    try {
      return { output: await work[task]?.(input, { app, task, say, signal, fence: () => {} }) }
    } catch (error) {
      return { status: 'failed', reason: rootOf(error) }
    }
  }
  return hand
}
