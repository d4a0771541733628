import { spooled } from '../../kit/host.ts'
import { looking } from '../dumps/looking.ts'
import type { ForeignFacts } from '../dumps/reading.ts'
import { DATABASES, shapeOf } from './ask.ts'
import { createDatabase, dropDatabase } from './dump.ts'
import { pour } from './imports.ts'
import { openForeign } from './openForeign.ts'
import type { DumpFacts } from './ownDump.ts'

export const lookAtDump = looking(
  async (path, mostBytes, say) => {
    const read = await openForeign(path, mostBytes, say)
    return { ...read, facts: () => foreignFacts(read.facts()) }
  },
  {
    databases: DATABASES,
    async create({ aside, name = '' }) {
      const owner = (await shapeOf(name))?.owner
      if (!owner) throw new Error(`there is no database ${name} on this server`)
      await createDatabase(aside, owner)
    },
    async load({ input: { file, mostBytes } }, { aside }) {
      await pour(aside, await openForeign(await spooled(file), mostBytes, () => undefined))
    },
    drop: (_, { aside }) => dropDatabase(aside),
  },
)

/** A file without one statement is no dump. */
function foreignFacts({ rows: _, complete: __, ...facts }: DumpFacts): ForeignFacts {
  if (facts.statements || facts.findings.some(({ effect }) => effect === 'refused')) return facts
  const what = 'no statement of SQL'
  return { ...facts, findings: [...facts.findings, { effect: 'refused', topic: 'format', what, count: 1, line: 1 }] }
}
