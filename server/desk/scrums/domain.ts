import { scrums as scrumsContract } from '@innkeeper/contract/desk/scrums/calls'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { scrumsHandlers } from './handlers.ts'
import { openAudits } from './holdings.ts'
import { remind } from './remind.ts'
import { seedScrums } from './seed.ts'
import * as tables from './tables.ts'
import { auditsOf } from './timeline.ts'

/**
 * Effects of other changes: renaming, reweighting or deleting a component does not change submitted audits. The audits
 * of a person who changes department are visible to readers of the new department, no longer to those of the old one.
 * Open audits by a departing person pass to the heir. Nobody audits themselves, not even as an heir.
 */
export const scrums: Domain = {
  calls: [calls('scrums', scrumsContract, scrumsHandlers)],
  tables,
  readScopes: { scrums: [] },
  rowScopes: { scrums: ['scrums:audit:read'] },
  schedules: [{ name: 'scrum audits: reminders', everyMs: 3_600_000, work: remind }],
  holdings: [openAudits],
  timeline: auditsOf,
  seed: { at: 30, run: (db, say) => seedScrums(db, say) },
}
