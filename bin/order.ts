import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { durations } from './green.ts'

/** Files with limits of time that people notice: one after the other, with nothing beside them. */
export const timed = ['e2e/nodes/{nodes,live}.test.ts', 'e2e/start.test.ts', 'e2e/textsRate.test.ts']

/**
 * Begins with the files that took longest, in whatever project they are, so that no long file runs alone at the end. A file that has
 * not run here is taken for as long as its size suggests.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = durations.read()
    const costs = new Map(
      files.map(({ moduleId }) => [moduleId, known[relative(process.cwd(), moduleId)] ?? guess(moduleId)]),
    )
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    return files.toSorted((a, b) => group(a) - group(b) || (costs.get(b.moduleId) ?? 0) - (costs.get(a.moduleId) ?? 0))
  }
}

const MS_PER_BYTE = 5
/** Files that take minutes, which their size does not show. They begin first on a machine where nothing has run yet. */
const long = [
  ...['e2e/screens.test.ts', 'e2e/faults.test.ts', 'e2e/faults/storm.test.ts', 'agent/drivers/php/phpVersion.test.ts'],
  ...['server/test/hostile/statements.test.ts', 'server/kit/ownBackup/upgrade.test.ts'],
]
const LONG_MS = 600_000
const guess = (file: string) =>
  long.includes(relative(process.cwd(), file)) ? LONG_MS : statSync(file).size * MS_PER_BYTE
