import type { Website } from '@innkeeper/contract/hosting/websites'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { writing } from '../../kit/db/driver/prepared.ts'
import type { Context } from '../../kit/http/api.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changedBy } from '../../kit/live/live.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { start } from '../../kit/work/workflow.ts'
import { websites } from './tables.ts'
import { readWebsite } from './view.ts'

/** Workflow kinds that create a website row. */
export const makes = ['website.create', 'website.stage', 'website.alias', 'website.subwebsite']

type Subject = Pick<Website, 'id' | 'domain'>

interface More {
  /** Names of steps that the form excluded. */
  exclude?: string[] | undefined
  /** Locks in addition to the website's own. */
  locks?: string[]
}

/** Starts a workflow in the transaction that writes the website's row, and returns the response of the call. */
export async function begin(context: Context, website: Subject, kind: string, plan: PlanStep[], more: More = {}) {
  const { db, staff, audit, status } = context
  const workflowId = await startOn(db, website, kind, plan, staff, more)
  const data = await readWebsite(db, website.id)
  audit.of('website', website.id)
  audit.workflow(workflowId)
  const made = makes.includes(kind)
  if (made) audit.after(data)
  status(made ? 201 : 202)
  return { data, workflowId }
}

const noteWorkflow = writing((tx) =>
  tx
    .update(websites)
    .set({ workflowId: sql`${sql.placeholder('workflowId')}`, ...nextVersion })
    .where(eq(websites.id, sql.placeholder('id')))
    .returning({ told: changedBy('websites', sql`${websites.id}`) })
    .prepare('note_website_workflow'),
)

/** Starts a workflow with the website's lock. */
export async function startOn(
  tx: Db,
  { id, domain }: Subject,
  kind: string,
  plan: PlanStep[],
  by: { id: number | null; name: string },
  { exclude = [], locks = [] }: More = {},
): Promise<number> {
  const workflowId = await start(tx, {
    kind,
    subject: { type: 'website', id, name: domain },
    holder: by.name,
    startedById: by.id,
    plan,
    exclude,
    locks: [`website:${id}`, ...locks],
  })
  await noteWorkflow(tx).execute({ id, workflowId })
  return workflowId
}
