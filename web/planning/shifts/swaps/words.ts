import type { Swap } from '@innkeeper/contract/planning/shifts/calls'

/** "Early 06:00–14:00 on Mon 1 Mar, for Late 14:00–22:00 on Tue 2 Mar". */
export const swapText = ({ from, to }: Pick<Swap, 'from' | 'to'>): string =>
  to.text ? `${from.text}, for ${to.text}` : `${from.text}, nothing in return`

/** Status words of a swap, with the state that colours them. */
export const swapStates: Record<Swap['status'], { state: string; word: string }> = {
  offered: { state: 'pending', word: 'Offered' },
  accepted: { state: 'waiting', word: 'Agreed' },
  done: { state: 'done', word: 'Done' },
  declined: { state: 'cancelled', word: 'Declined' },
  refused: { state: 'rejected', word: 'Refused' },
  withdrawn: { state: 'cancelled', word: 'Withdrawn' },
  void: { state: 'cancelled', word: 'Void' },
}

/** Whether a swap waits for this person's answer or decision. */
export const waitsFor = ({ may }: Swap): boolean => may.includes('answer') || may.includes('decide')

export const waitingFor = (swaps: readonly Swap[] | undefined): number => (swaps ?? []).filter(waitsFor).length
