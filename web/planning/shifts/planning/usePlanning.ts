import type { Shift } from '@innkeeper/contract/planning/shifts/calls'
import type { Place } from '../../../kit/calendar/items.ts'
import { shiftsApi } from '../api.ts'
import { changeOf, type ShiftItem } from '../roster/items.ts'
import { personOf } from '../roster/lanes.tsx'
import type { publishDrafts } from './planningActs.ts'
import { attemptWarned } from './warnings.ts'

/** Saves changes made in the grid with the version of the shift, so that a parallel change is not overwritten. */
export function usePlanning() {
  return {
    move: ({ shift }: ShiftItem, place: Place & { lane: string }) => {
      if (!shift) return
      const userId = personOf(place.lane)
      const { id, version } = shift
      const change = { id, version, ...(userId && { userId }), ...changeOf(shift, place) }
      void attemptWarned((stopAtWarnings) => shiftsApi.update({ ...change, stopAtWarnings }), 'Move shift')
    },
    exchange: async (a: Shift, b: Shift) => {
      const { exchange } = await import('../swaps/exchange.ts')
      await exchange(a, b)
    },
    resize: ({ shift }: ShiftItem, place: Place) => {
      if (!shift) return
      const { id, version } = shift
      const change = { id, version, ...changeOf(shift, place) }
      void attemptWarned((stopAtWarnings) => shiftsApi.update({ ...change, stopAtWarnings }), 'Change shift')
    },
    remove: async (items: readonly ShiftItem[]) => {
      const { removeShifts } = await import('./planningActs.ts')
      await removeShifts(items)
    },
    publish: async (...what: Parameters<typeof publishDrafts>) => {
      const acts = await import('./planningActs.ts')
      await acts.publishDrafts(...what)
    },
  }
}
