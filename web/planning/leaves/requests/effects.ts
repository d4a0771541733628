import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import type { LeaveEffects } from '@innkeeper/contract/planning/leaves/effects'
import { clock, counted } from '../../../kit/look/format.ts'
import { linesOfLeaves, titleOfLeaves } from '../../calendarEvents/confirmLeaves.ts'
import { leavesApi } from '../api.ts'
import { dayWords } from '../words.ts'

const SOME = 8

/** Says what the approval of these requests or cancellations does to the plan and to other leaves, a line each. */
export async function effectsOf(leaves: readonly LeaveRequest[]): Promise<string[]> {
  const ids = (isRequest: boolean) =>
    leaves.filter(({ status }) => (status === 'pending') === isRequest).map(({ id }) => id)
  const [requests, cancellations] = [ids(true), ids(false)]
  const found = [
    ...(requests.length ? [await leavesApi.reviewEffects({ ids: requests })] : []),
    ...(cancellations.length ? [await leavesApi.cancellationEffects({ ids: cancellations })] : []),
  ]
  return found.flatMap(linesOfEffects)
}

export function linesOfEffects({ shifts, total, leaves, refusals }: LeaveEffects): string[] {
  const lines = shifts.slice(0, SOME).map(shiftLine)
  const more = total - lines.length
  return [
    ...(total ? [`This changes ${counted(total, ['shift', 'shifts'])}:`] : ['This changes no shift.']),
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(leaves.total ? [`${titleOfLeaves(leaves.total)}:`, ...linesOfLeaves(leaves.items, leaves.total)] : []),
    ...(refusals.length
      ? [`Refused: ${counted(refusals.length, ['leave', 'leaves'])}. ${refusals[0]?.message ?? ''}`]
      : []),
  ]
}

const hours = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) =>
  `${clock(startsAt).slice(0, 5)}–${clock(endsAt).slice(0, 5)}`

function shiftLine(shift: LeaveEffects['shifts'][number]): string {
  const { userName, name, date, becomes, stays } = shift
  const what = { off: 'falls free', back: 'is planned again', cut: stays ? `only ${hours(stays)} stays` : 'is cut' }
  return `${userName}, ${name} ${dayWords(date)} ${hours(shift)}: ${what[becomes]}`
}
