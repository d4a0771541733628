import { eq } from 'drizzle-orm'
import type { Context } from '../../kit/http/api.ts'
import { changed } from '../../kit/live/live.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { describe, onEnd, start } from '../../kit/work/workflow.ts'
import { lockOf } from './hold.ts'
import { readAccounts, shape } from './steps.ts'
import { systemUsers } from './tables.ts'

const KIND = 'plan.apply'

/**
 * Applies the limits of a plan to its accounts, with one workflow per server, so that an offline server does not delay
 * the others. Returns the workflow ids.
 */
export async function applyPlan({ db, staff }: Context, plan: { id: number; name: string }): Promise<number[]> {
  const accounts = await readAccounts(db, eq(systemUsers.planId, plan.id))
  const workflows: number[] = []
  for (const there of Map.groupBy(accounts, ({ server }) => server.id).values()) {
    const steps: PlanStep[] = []
    for (const account of there) steps.push(...(await shape(db, account)))
    workflows.push(
      await start(db, {
        kind: KIND,
        subject: { type: 'plan', id: plan.id, name: `${plan.name} on ${there[0]?.server.name}` },
        holder: staff.name,
        startedById: staff.id,
        plan: steps,
        locks: there.map(({ id }) => lockOf(id)),
      }),
    )
  }
  return workflows
}

/** Declares the workflows of this file, for domain.ts. */
export function planWorkflows(): void {
  describe(KIND, { title: 'Apply plan', doing: 'getting the limits of its plan' })
  onEnd(KIND, async (tx, { subjectId }) => changed(tx, 'plans', subjectId))
}
