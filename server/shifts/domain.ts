import { shifts as shiftsContract } from '@innkeeper/contract/shifts'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { planAhead } from './automations/planAhead.ts'
import { shiftsHandlers } from './handlers.ts'
import { shiftsAhead } from './holdings.ts'
import { seedShifts } from './seed.ts'
import * as tables from './tables.ts'

export const shifts: Domain = {
  calls: [calls('shifts', shiftsContract, shiftsHandlers)],
  tables,
  readScopes: { shifts: [] },
  schedules: [{ name: 'shift automations', everyMs: 3_600_000, work: (app) => planAhead(app) }],
  holdings: [shiftsAhead],
  seed: { at: 30, run: (db, say) => seedShifts(db, say) }, // after leaves, which keep people off the plan
}
