import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import type { CalendarItem } from '../../kit/calendar/items.ts'
import type { Lane } from '../../kit/calendar/LaneGrid.tsx'
import { leavesApi } from './api.ts'
import { absenceTexts } from './texts.ts'
import { colourOf, kindWords, partWords } from './words.ts'

export interface Item extends CalendarItem {
  leave: LeaveRequest
}

const PAGE = 200

/** Maximum of leaves in the grid; the list with its filters shows more. */
export const MOST = 2000

/** Reads all pages of a month's leaves. */
export async function readMonth(month: string, signal: AbortSignal): Promise<LeaveRequest[]> {
  const items: LeaveRequest[] = []
  let after: string | undefined
  for (let page = 1; items.length < MOST; page += 1) {
    const answer = await leavesApi.requests(
      {
        ...{ date: month.slice(0, 7), status: ['pending', 'approved'], sort: 'startDate', direction: 'ASC' },
        ...{ page, itemsPerPage: PAGE, after },
      },
      { signal },
    )
    items.push(...answer.items)
    after = answer.next
    if (!after) break
  }
  return items
}

export function asItem(leave: LeaveRequest, short: string): Item {
  const isAsked = leave.status === 'pending'
  const note = partWords(leave)
  return {
    id: String(leave.id),
    from: leave.startDate,
    to: leave.endDate,
    label: kindWords(leave),
    short,
    colour: colourOf(leave),
    look: isAsked ? 'dashed' : 'solid',
    notFinal: absenceTexts().askedFor,
    fixed: true,
    leave,
    ...(note && { note }),
  }
}

/** The types of the visible leaves, sorted by name. */
export const legendOf = (items: readonly Item[]) =>
  [...new Map(items.map(({ label, short, leave }) => [label, { label, short: short ?? '', colour: colourOf(leave) }]))]
    .map(([, entry]) => entry)
    .toSorted((a, b) => a.label.localeCompare(b.label))

/** One row per absent person, sorted by name. */
export function lanesOf(items: readonly Item[]): Lane<Item>[] {
  const people = Map.groupBy(items, ({ leave }) => leave.userId)
  return [...people]
    .map(([id, theirs]) => ({
      id: String(id),
      name: theirs[0]?.leave.userName ?? '',
      hint: theirs[0]?.leave.departmentName,
      items: theirs,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
