import type { Swap } from '@innkeeper/contract/planning/shifts/calls'
import { shiftTexts } from '../texts.ts'

/** "Early 06:00–14:00 on Mon 1 Mar, for Late 14:00–22:00 on Tue 2 Mar". */
export function swapText({ from, to }: Pick<Swap, 'from' | 'to'>): string {
  const given = from.text ?? ''
  return to.text ? shiftTexts().forOther(given, to.text) : shiftTexts().forNothing(given)
}

/** The state that colours the status of a swap. */
export const swapStates: Record<Swap['status'], string> = {
  ...{ offered: 'pending', accepted: 'waiting', done: 'done', declined: 'cancelled' },
  ...{ refused: 'rejected', withdrawn: 'cancelled', void: 'cancelled' },
}

/** Whether a swap waits for this person's answer or decision. */
export const waitsFor = ({ may }: Swap): boolean => may.includes('answer') || may.includes('decide')

export const waitingFor = (swaps: readonly Swap[] | undefined): number => (swaps ?? []).filter(waitsFor).length
