import { type ForeignFacts, looking, openDump } from '../dumps/reading.ts'
import { type DumpFacts, ownDump } from './ownDump.ts'

/** Opens a dump for a database of this PostgreSQL. */
export const openForeign = (path: string, mostBytes: number, say: (text: string) => void) =>
  openDump(path, ownDump(), { mostBytes, databases: '/var/lib/postgresql' }, say)

export const lookAtDump = looking(async (path, mostBytes, say) => {
  const read = await openForeign(path, mostBytes, say)
  return { ...read, facts: () => foreignFacts(read.facts()) }
})

/** A file without one statement is no dump. */
function foreignFacts({ rows: _, complete: __, ...facts }: DumpFacts): ForeignFacts {
  if (facts.statements || facts.findings.some(({ effect }) => effect === 'refused')) return facts
  const what = 'no statement of SQL'
  return { ...facts, findings: [...facts.findings, { effect: 'refused', topic: 'format', what, count: 1, line: 1 }] }
}
