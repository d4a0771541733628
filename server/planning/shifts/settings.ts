import type { ShiftSettings } from '@innkeeper/contract/planning/shifts/calls'
import { type NightRule, spokenNight } from '@innkeeper/contract/planning/shifts/duration'
import type { Db } from '../../kit/db/db.ts'
import { statement } from '../../kit/db/driver/prepared.ts'
import { shiftSettings } from './tables.ts'

export interface Settings extends NightRule {
  version: number
  dayNormMinutes: number
  restMinutes: number
  weekMinutes: number
  nightsInRow: number
  onLeave: ShiftSettings['onLeave']
  swaps: ShiftSettings['swaps']
}

/**
 * Default settings: night hours and their weight by people §9, eight hours a day, eleven hours of rest and
 * 48 hours a week (Directive 2003/88/EC), five nights in a row.
 */
export const firstSettings: Settings = {
  version: 1,
  ...spokenNight,
  dayNormMinutes: 480,
  restMinutes: 660,
  weekMinutes: 2880,
  nightsInRow: 5,
  onLeave: 'open',
  swaps: 'approve',
}

const select = statement((db) => db.select().from(shiftSettings).prepare('shift_settings'))

export async function readSettings(db: Db): Promise<Settings> {
  const [found] = await select(db).execute()
  return found ?? firstSettings
}
