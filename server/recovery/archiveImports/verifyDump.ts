import { DumpFinding } from '@innkeeper/contract/hosting/databases/dumps'
import type { ReportLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import * as z from 'zod'

/** `findings`: absent if the dump came as it is, and in answers of older agents. */
const Loaded = z.object({ tables: z.int(), rows: z.int(), findings: z.array(DumpFinding).default([]) })
type Loaded = z.output<typeof Loaded>
const MOST_LINES = 40

/** What the step has answered that loaded the dump of this database. */
export const loadedBy = (of: (name: string, id?: number) => unknown, id: number): Loaded =>
  Loaded.parse(of('database-import.load', id))

/** What was left out of a dump or rewritten, so that it fits this server. */
export function changesOf(name: string, { findings }: Loaded): ReportLine[] {
  const base = { kind: 'database', name, verdict: 'changed' } as const
  const lines = findings.slice(0, MOST_LINES).map(
    ({ effect, topic, what, count }): ReportLine => ({
      ...{ ...base, what: `${topic} in the dump`, archive: what },
      here: count > 1 ? `${effect}, ${count} times` : effect,
    }),
  )
  const more = findings.length - lines.length
  return more
    ? [...lines, { ...base, what: 'more changes of the dump', archive: `${more}`, here: 'not listed' }]
    : lines
}
