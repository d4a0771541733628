import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Replacement } from '@innkeeper/contract/hosting/databases/replacements'
import type { Db } from '../../../kit/db/db.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { stepsIn } from '../../websites/parts/parts.ts'
import { ask, askBefore, renewingPhp, type Site, serve } from '../../websites/siteSteps.ts'
import { databaseOwnNames, databasePutBack, databaseReplace } from '../actions.ts'
import { type DatabaseOf, engineOf } from '../steps.ts'

export type Wanted = Pick<OperationInput<'database.replace'>, 'from' | 'to' | 'how'>
export type Chosen = DatabaseOf & { tables: string[] | null }

/** Name of the file with the former values of a database. */
const fileOf = (replacementId: number, databaseId: number) => `replaced-${replacementId}-${databaseId}.log.gz`
/** Not of type `database`, so that these actions do not change the row of the database (../lifecycle.ts). */
const on = ({ serverId, id, name }: DatabaseOf) => ({
  server: serverId,
  resource: { type: 'database-values', id, name },
})

export const replacing = (replacementId: number, wanted: Wanted, databases: readonly Chosen[]): PlanStep[] =>
  databases.map((one) =>
    step(
      databaseReplace,
      {
        ...{ ...engineOf(one), name: one.name, ...wanted },
        ...(one.tables && { tables: one.tables }),
        keep: fileOf(replacementId, one.id),
      },
      on(one),
    ),
  )

/**
 * Steps after tables came from another website, or from a time before a rename: they get the website's own name instead
 * of `names`. An application may store its address in them, and a WordPress network answers only under names that its
 * tables contain.
 */
export const owningNames = (
  { domain }: Pick<Site, 'domain'>,
  databases: readonly Chosen[],
  names: readonly string[],
  keep: string,
): PlanStep[] =>
  databases.flatMap((one) =>
    names.map((from, i) =>
      step(
        databaseOwnNames,
        {
          ...{ ...engineOf(one), name: one.name, from, to: domain, keep: `${keep}-${one.id}-${i}.log.gz` },
          ...(one.tables && { tables: one.tables }),
        },
        on(one),
      ),
    ),
  )

export const puttingBack = (
  { id, databases }: Pick<Replacement, 'id' | 'databases'>,
  now: readonly DatabaseOf[],
): PlanStep[] =>
  now.map((one) => {
    const values = databases.find((then) => then.id === one.id)?.result?.changed ?? 0
    return step(databasePutBack, { ...engineOf(one), name: one.name, file: fileOf(id, one.id), values }, on(one))
  })

/**
 * Shows the maintenance page while values change: an application that has read a text before would write it back.
 * Afterwards caches of the website are emptied.
 */
export async function whileClosed(db: Db, site: Site, isOpen: boolean, steps: PlanStep[]): Promise<PlanStep[]> {
  const all = [...steps, ...(await stepsIn('forget', db, site))]
  if (!isOpen) return all
  const before = askBefore(site)
  return [
    before,
    serve(site, 'maintenance', 'active'),
    ...renewingPhp(site, all),
    serve(site, 'active', 'maintenance'),
    ask(site, 'served', [], before),
  ]
}
