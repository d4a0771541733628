import type { ChangedLeaves } from '@innkeeper/contract/planning/leaves/changedLeaves'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { dateFormat } from '../../kit/look/dateFormat.ts'
import { counted } from '../../kit/look/format.ts'

const SOME = 8
const form = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })
const days = (from: string, to: string) => form.range(new Date(from), new Date(to))

type Shown = Pick<ChangedLeaves['items'][number], 'userName' | 'startDate' | 'endDate' | 'days' | 'daysBefore'>

/** Says how leaves change: the first ones, and the number of others. */
export function linesOfLeaves(items: readonly Shown[], total: number = items.length): string[] {
  const lines = items
    .slice(0, SOME)
    .map(
      ({ userName, startDate, endDate, days: takes, daysBefore }) =>
        `${userName ?? 'A leave'}, ${days(startDate, endDate)}: ${counted(takes, ['day', 'days'])} instead of ${daysBefore}`,
    )
  const more = total - lines.length
  return more > 0 ? [...lines, `and ${more} more`] : lines
}

export const titleOfLeaves = (total: number) => `This changes ${total === 1 ? 'a leave' : `${total} leaves`}`

interface Question {
  /** What the act does, for its button. */
  verb?: string
  /** Asked in any case, above the leaves. Absent: an act that changes no leave is not asked about. */
  asks?: { title: string; text: string }
}

/**
 * Shows the leaves that a change of holidays, working days or the roster changes, and asks whether to make the change;
 * undefined if the person cancels. The ids confirm exactly these leaves.
 */
export async function confirmLeaves(
  preview: () => Promise<ChangedLeaves>,
  { verb = 'Save', asks }: Question = {},
): Promise<{ leaves: number[] } | undefined> {
  const { items, total, ids } = await preview()
  if (!total && !asks) return { leaves: ids }
  const leaves = total ? [...linesOfLeaves(items, total), 'Their people, approvers and planners will be notified.'] : []
  const answer = await confirm({
    title: asks?.title ?? titleOfLeaves(total),
    text: [...(asks ? [asks.text] : []), ...(asks && total ? [`${titleOfLeaves(total)}:`] : []), ...leaves].join('\n'),
    verb: total ? `${verb} and change ${counted(total, ['leave', 'leaves'])}` : verb,
  })
  return answer && { leaves: ids }
}
