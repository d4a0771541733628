import type { ChangedLeaves } from '@innkeeper/contract/planning/leaves/changedLeaves'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { counted } from '../../kit/look/format.ts'

const SOME = 8
const form = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const days = (from: string, to: string) => form.formatRange(new Date(from), new Date(to))

/**
 * Shows the leaves that a change of holidays or working days changes, and asks whether to save; undefined if the person
 * cancels. The ids confirm exactly these leaves.
 */
export async function confirmLeaves(preview: () => Promise<ChangedLeaves>): Promise<{ leaves: number[] } | undefined> {
  const { items, total, ids } = await preview()
  if (!total) return { leaves: ids }
  const lines = items
    .slice(0, SOME)
    .map(
      ({ userName, startDate, endDate, days: takes, daysBefore }) =>
        `${userName ?? 'A leave'}, ${days(startDate, endDate)}: ${counted(takes, ['day', 'days'])} instead of ${daysBefore}`,
    )
  const more = total - lines.length
  const answer = await confirm({
    title: total === 1 ? 'This changes a leave' : `This changes ${total} leaves`,
    text: [
      ...lines,
      ...(more > 0 ? [`and ${more} more`] : []),
      'Their people, approvers and planners will be notified.',
    ].join('\n'),
    verb: `Save and change ${counted(total, ['leave', 'leaves'])}`,
  })
  return answer && { leaves: ids }
}
