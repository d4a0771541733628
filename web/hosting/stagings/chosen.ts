import type { LiveChanges } from '@innkeeper/contract/hosting/stagings/shapes'

/** The parts of a copy to merge. A database missing in `tables` is merged completely. */
export interface Chosen {
  files: 'all' | 'some' | 'none'
  /** For `some`: files and folders, none inside another. */
  paths: string[]
  tables: Record<number, string[]>
}
type Choices = LiveChanges['choices']

const some = ({ tables }: Chosen, { databaseId, tables: all }: Choices[number]) => tables[databaseId] ?? all
const takesFiles = ({ files, paths }: Chosen) => files === 'all' || (files === 'some' && paths.length > 0)

export const nothingChosen = (chosen: Chosen, choices: Choices): boolean =>
  !takesFiles(chosen) && choices.every((one) => some(chosen, one).length === 0)

/** The format of the calls. */
export const toParts = (chosen: Chosen, choices: Choices) => ({
  files: takesFiles(chosen),
  ...(chosen.files === 'some' && chosen.paths.length && { paths: chosen.paths.toSorted() }),
  tables: toTables(chosen, choices),
})

/** Completely chosen databases become `all`, which includes views and routines. */
export function toTables(
  chosen: Chosen,
  choices: Choices,
): 'all' | 'none' | { databaseId: number; tables: string[] }[] {
  if (choices.every((one) => some(chosen, one).length === one.tables.length)) return 'all'
  const wanted = choices.flatMap((one) => {
    const tables = some(chosen, one)
    return tables.length ? [{ databaseId: one.databaseId, tables }] : []
  })
  return wanted.length ? wanted : 'none'
}
