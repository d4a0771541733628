import { eq } from 'drizzle-orm'
import type { Context } from '../kit/http/api.ts'
import { changed } from '../kit/live/live.ts'
import { describe, onEnd, start } from '../kit/work/workflow.ts'
import { lockOf } from '../systemUsers/hold.ts'
import { readAccounts, shape } from '../systemUsers/steps.ts'
import { systemUsers } from '../systemUsers/tables.ts'

const KIND = 'plan.apply'
describe(KIND, { title: 'Apply plan', doing: 'getting the limits of its plan' })
onEnd(KIND, async (tx, { subjectId }) => changed(tx, 'plans', subjectId))

/**
 * Applies the limits of a plan to its accounts, with one workflow per server, so that an offline server does not delay
 * the others. Returns the workflow ids.
 */
export async function applyPlan({ db, staff }: Context, plan: { id: number; name: string }): Promise<number[]> {
  const accounts = await readAccounts(db, eq(systemUsers.planId, plan.id))
  const workflows: number[] = []
  for (const there of Map.groupBy(accounts, ({ server }) => server.id).values())
    workflows.push(
      await start(db, {
        kind: KIND,
        subject: { type: 'plan', id: plan.id, name: `${plan.name} on ${there[0]?.server.name}` },
        holder: staff.name,
        startedById: staff.id,
        plan: there.flatMap(shape),
        locks: there.map(({ id }) => lockOf(id)),
      }),
    )
  return workflows
}
