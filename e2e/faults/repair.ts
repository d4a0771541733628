import { letPass } from '../../bin/pass.ts'
import { workflow } from '../workflows.ts'
import type { Calls } from './check.ts'
import type { Dice } from './dice.ts'
import { settle } from './workflows.ts'
import type { World } from './world.ts'

/**
 * Resumes a workflow at each planned pause, as soon as `may` answers true. Ends when the returned function is called.
 */
export function goOn(world: World, id: number, calls: Calls, may: () => boolean): () => Promise<void> {
  let over = false
  const going = (async () => {
    for (; !over; await letPass(50, 'between two looks'))
      try {
        const [row] = await world.look<{ waits: boolean }>(
          `select paused and ended_at is null as waits from workflows where workflow_id = $1`,
          [id],
        )
        if (!row?.waits || !may()) continue
        const next = (await workflow(world.api, id)).actions.find(({ status }) => status === 'pending')
        if (!next) continue
        const counted = calls.get(id) ?? { acknowledged: 0, asked: 0 }
        calls.set(id, counted)
        counted.asked++
        await world.api.must('PATCH', `/workflows/${id}/actions/${next.id}`, { actionType: 'resume' })
        counted.acknowledged++
      } catch {
        // may fail during the fault; the wait for the end of the workflow reports the failure
      }
  })()
  return async () => {
    over = true
    await going
  }
}

/**
 * Repairs a workflow with the actions of staff over the API until it is done or rolled back. Answers the actions used.
 */
export async function repair(world: World, id: number, undoable: boolean, d: Dice, calls: Calls): Promise<string[]> {
  const verbs: string[] = []
  while (verbs.length < 6) {
    const now = await workflow(world.api, id)
    if (now.status !== 'failed') return verbs
    const action = now.actions.find((a) => a.status === 'failed' || a.status === 'blocked')
    if (!action) throw new Error(`Workflow ${id} has failed without a failed action`)
    const verb = undoable && !now.undo && !now.noWayBack && d.chance(0.3) ? 'rollback' : 'retry'
    const counted = calls.get(id) ?? { acknowledged: 0, asked: 0 }
    counted.asked++
    await world.api.must('PATCH', `/workflows/${id}/actions/${action.id}`, {
      actionType: verb,
      reason: 'after a storm',
    })
    counted.acknowledged++
    verbs.push(verb)
    await settle(world, id)
  }
  const { reason } = await settle(world, id)
  throw new Error(`Workflow ${id} could not be repaired by ${verbs.join(', ')}: ${reason}`)
}
