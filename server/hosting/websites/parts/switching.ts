import type { Db } from '../../../kit/db/db.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import type { Site } from '../siteSteps.ts'
import { activation, suspension } from '../steps.ts'
import { stepsIn, stepsOut } from './parts.ts'

/** Steps that set these websites to `status` in sequence, each with all its parts. */
export async function switching(db: Db, sites: Site[], status: 'active' | 'suspended'): Promise<PlanStep[]> {
  const steps: PlanStep[] = []
  for (const site of sites)
    steps.push(
      ...(status === 'suspended'
        ? suspension(site, await stepsOut('suspend', db, site))
        : activation(site, await stepsIn('activate', db, site))),
    )
  return steps
}
