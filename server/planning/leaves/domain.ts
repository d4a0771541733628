import { leaves as leavesContract } from '@innkeeper/contract/planning/leaves/calls'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { changeDepartment, changeEmployment } from './entitlements/employment.ts'
import { lockAllBalances } from './entitlements/ledger.ts'
import { turnYears } from './entitlements/yearEnd.ts'
import { closeFeeds } from './feed/feed.ts'
import { leavesHandlers } from './handlers.ts'
import { approverPlaces } from './holdings.ts'
import { decidedByEach } from './requests/deciders.ts'
import { remindApprovers } from './requests/remind.ts'
import { seedLeaves } from './seed.ts'
import * as tables from './tables.ts'

export const leaves: Domain = {
  calls: [calls('leaves', leavesContract, leavesHandlers)],
  tables,
  readScopes: { leaves: [] },
  rowScopes: { leaves: ['calendar:leave:read'] },
  schedules: [
    { name: 'year end of leave balances', everyMs: 3_600_000, work: (app) => turnYears(app) },
    { name: 'leaves that begin undecided', everyMs: 3_600_000, work: remindApprovers },
  ],
  changeEmployment,
  changeDepartment,
  holdForDepartment: lockAllBalances,
  holdings: [approverPlaces],
  appointments: decidedByEach,
  endKeys: closeFeeds,
  seed: { at: 20, run: (db, say) => seedLeaves(db, say) },
}
