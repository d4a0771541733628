import { eq } from 'drizzle-orm'
import type { Context } from '../../kit/http/api.ts'
import { changed } from '../../kit/live/live.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { startOn } from '../websites/startWorkflow.ts'
import { readDatabase } from './read.ts'
import { databases, databaseUsers } from './tables.ts'
import { readUser } from './users/view.ts'

/** Starts a workflow on the database's website, with the website's lock. */
export async function begin(context: Context, id: number, kind: string, plan: PlanStep[]) {
  const { db, staff, audit } = context
  const { websiteId, domain } = await readDatabase(db, id)
  const workflowId = await startOn(db, { id: websiteId, domain }, kind, plan, staff)
  await db.update(databases).set({ workflowId }).where(eq(databases.id, id))
  const data = await readDatabase(db, id)
  audit.of('database', id)
  audit.workflow(workflowId)
  audit.after(data)
  await changed(db, 'databases', id)
  return { data, workflowId }
}

/** Starts a workflow on the account's website, with the website's lock. */
export async function beginUser(context: Context, id: number, kind: string, plan: PlanStep[]) {
  const { db, staff, audit } = context
  const { websiteId, domain } = await readUser(db, id)
  const workflowId = await startOn(db, { id: websiteId, domain }, kind, plan, staff)
  await db.update(databaseUsers).set({ workflowId }).where(eq(databaseUsers.id, id))
  const data = await readUser(db, id)
  audit.of('database-user', id)
  audit.workflow(workflowId)
  audit.after(data)
  await changed(db, 'databases', id)
  return { data, workflowId }
}
