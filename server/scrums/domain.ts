import { scrums as scrumsContract } from '@innkeeper/contract/scrums'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { scrumsHandlers } from './handlers.ts'
import { openAudits } from './holdings.ts'
import { remind } from './remind.ts'
import { seedScrums } from './seed.ts'
import * as tables from './tables.ts'

/**
 * What meets it: a component that is renamed, reweighted or deleted leaves submitted audits as they are. A person who
 * changes department takes the audits along: readers of the new department see them, those of the old one no longer.
 * A leaver's open audits pass to the heir. Nobody audits themselves, also not as an heir.
 */
export const scrums: Domain = {
  calls: [calls('scrums', scrumsContract, scrumsHandlers)],
  tables,
  readScopes: { scrums: [] },
  schedules: [{ name: 'scrum audits: reminders', everyMs: 3_600_000, work: remind }],
  holdings: [openAudits],
  seed: { at: 30, run: (db, say) => seedScrums(db, say) },
}
