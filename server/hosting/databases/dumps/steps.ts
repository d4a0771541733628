import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import type { PlanStep } from '../../../kit/work/action.ts'
import { step } from '../../../kit/work/action.ts'
import { ask, askBefore, renewingPhp, type Site, serve } from '../../websites/siteSteps.ts'
import { databaseRemove, dumpDrop, importLoad, importSwap } from '../actions.ts'
import { engineOf, shapeIn } from '../steps.ts'

export const fileOf = (importId: number) => `import-${importId}.dump`
/** Where the look at a dump tries its statements. */
export const scratchOf = (importId: number, database: Importing['database']) => ({
  aside: `ik_try_${importId}`,
  ...(database.engine === 'postgresql' && { name: database.name }),
  ...shapeIn(database),
})
const asideOf = (importId: number) => `ik_import_${importId}`
export const beforeOf = (importId: number) => `ik_before_${importId}`
/** Resource type of the contents that an import replaced: their removal does not remove the database. */
export const BEFORE = 'database-before'

export const onDump = (
  { id, name, serverId }: { id: number; name: string; serverId: number },
  type = 'database-dump',
) => ({
  server: serverId,
  resource: { type, id, name },
})

interface Importing {
  id: number
  database: { id: number; engine: DatabaseEngine; name: string; serverId: number; charset: string; collation: string }
  from: Pick<OperationInput<'database-import.load'>, 'foreign' | 'former'>
  site: Site
  /** The website is open, so that it shows the maintenance page while the contents are exchanged. */
  isOpen: boolean
  /** Steps that empty caches of the website, which hold the former contents. */
  forget: PlanStep[]
  keepDays: number
}

/**
 * Steps of an import. They load the dump into a second database while visitors still use the first, close the website
 * for the exchange of both, and move the former contents to the trash.
 */
export function importSteps({ id, database, from, site, isOpen, forget, keepDays }: Importing): PlanStep[] {
  const { name } = database
  const [aside, before] = [asideOf(id), beforeOf(id)]
  const on = onDump(database)
  const asked = askBefore(site)
  const swap = [step(importSwap, { ...engineOf(database), name, aside, before }, on), ...forget]
  return [
    step(
      importLoad,
      {
        ...engineOf(database),
        aside,
        ...(database.engine === 'postgresql' && { name }),
        ...shapeIn(database),
        ...from,
      },
      on,
    ),
    ...(isOpen
      ? [
          asked,
          serve(site, 'maintenance', 'active'),
          ...renewingPhp(site, swap),
          serve(site, 'active', 'maintenance'),
          ask(site, 'served', [], asked),
        ]
      : swap),
    step(databaseRemove, { ...engineOf(database), name: before, keepDays }, onDump(database, BEFORE)),
    ...(from.foreign ? [step(dumpDrop, { file: from.foreign.file }, on)] : []),
  ]
}
