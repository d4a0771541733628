import { shifts as shiftsContract } from '@innkeeper/contract/planning/shifts/calls'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { planAhead } from './automations/planAhead.ts'
import { plannedDuring, rosteredShifts, shiftsDuring } from './freed/during.ts'
import { freeForgotten, freeShifts } from './freed/free.ts'
import { giveBack } from './freed/giveBack.ts'
import { shiftsHandlers } from './handlers.ts'
import { openAfterLastDay, shiftsAhead } from './holdings.ts'
import { followRound } from './planning/following.ts'
import { shown } from './roster/view.ts'
import { seedShifts } from './seed.ts'
import { voidSwaps } from './swaps/void.ts'
import * as tables from './tables.ts'

export const shifts: Domain = {
  calls: [calls('shifts', shiftsContract, shiftsHandlers)],
  tables,
  readScopes: { shifts: [] },
  rowScopes: { shifts: ['calendar:shift:create'] },
  schedules: [
    { name: 'shift automations', everyMs: 3_600_000, work: (app) => planAhead(app) },
    { name: 'shifts of changed types and rules', everyMs: 1000, work: followRound },
    { name: 'swaps of changed shifts', everyMs: 60_000, work: ({ db }) => db.transaction((tx) => voidSwaps(tx)) },
    { name: 'shifts of people on leave', everyMs: 3_600_000, work: ({ db }) => freeForgotten(db) },
  ],
  leaves: {
    shifts: async (db, leave) => (await shiftsDuring(db, leave)).map(shown),
    rostered: rosteredShifts,
    planned: plannedDuring,
    approved: ({ db, staff, now }, leave) => freeShifts(db, leave, staff, now),
    cancelled: ({ db, staff, now }, leave) => giveBack(db, leave, staff, now),
  },
  changeEmployment: openAfterLastDay,
  holdings: [shiftsAhead],
  seed: { at: 30, run: (db, say) => seedShifts(db, say) }, // after leaves, because people on leave get no shifts
}
