import { eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { start } from '../../kit/work/workflow.ts'
import { lockOf } from './hold.ts'
import type { Account } from './parts.ts'
import { readAccounts } from './steps.ts'
import { systemUsers } from './tables.ts'
import { readSystemUser } from './view.ts'

/** Steps that need the account with its server and plan. */
export async function accountSteps(
  db: Db,
  id: number,
  stepsOf: (account: Account) => Promise<PlanStep[]>,
): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  for (const account of await readAccounts(db, eq(systemUsers.id, id))) steps.push(...(await stepsOf(account)))
  return steps
}

/** Starts the workflow in the transaction that writes the account's row. */
export async function begin(context: Context, id: number, kind: string, plan: PlanStep[], locks: string[] = []) {
  const { db, staff, audit, status } = context
  const { username } = await readSystemUser(db, id)
  const workflowId = await start(db, {
    kind,
    subject: { type: 'system-user', id, name: username },
    holder: staff.name,
    startedById: staff.id,
    plan,
    locks: [lockOf(id), ...locks],
  })
  await db
    .update(systemUsers)
    .set({ workflowId, ...nextVersion })
    .where(eq(systemUsers.id, id))
  await changed(db, 'systemUsers', id)
  const data = await readSystemUser(db, id)
  audit.of('system-user', id)
  audit.workflow(workflowId)
  audit.after(data)
  status(kind === 'system-user.create' ? 201 : 202)
  return { data, workflowId }
}
