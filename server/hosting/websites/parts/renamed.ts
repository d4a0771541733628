import type { Db } from '../../../kit/db/db.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import type { Site } from '../siteSteps.ts'
import { renaming } from '../steps.ts'
import { allParts } from './parts.ts'

/** Steps that change the names of a website on its own server and in all other parts. */
export async function renamed(db: Db, before: Site, after: Site, state: 'active' | 'suspended'): Promise<PlanStep[]> {
  const steps = renaming(before, after, state)
  for (const part of allParts()) steps.push(...((await part.names?.(db, before, after, state)) ?? []))
  return steps
}
