import { attempt } from '../../../kit/api/attempt.ts'
import { rangeText } from '../../../kit/calendar/days.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { counted } from '../../../kit/look/format.ts'
import { confirmLeaves, linesOfLeaves, titleOfLeaves } from '../../calendarEvents/confirmLeaves.ts'
import { shiftsApi } from '../api.ts'
import type { ShiftItem } from '../roster/items.ts'
import { outcomeText, timesText } from '../words.ts'

const again = ['shifts']

/** Removes shifts, after a question that names what it does to leaves. */
export async function removeShifts(items: readonly ShiftItem[]): Promise<void> {
  const remove = items.flatMap(({ shift }) => (shift ? [{ id: shift.id, version: shift.version }] : []))
  const [first] = items
  if (!remove.length || !first?.shift) return
  const what =
    remove.length === 1
      ? `${timesText(first.shift)} of ${first.shift.userName ?? 'nobody'}`
      : counted(remove.length, ['shift', 'shifts'])
  const foreseen = await attempt(() => shiftsApi.preview({ remove }), [])
  if (!foreseen) return
  const { leaves } = foreseen
  const sure = await confirm({
    title: `Remove ${what}?`,
    text: [
      remove.length === 1
        ? 'The shift can be restored: see the last change.'
        : 'The shifts can be restored together: see the last change.',
      ...(leaves.length ? [`${titleOfLeaves(leaves.length)}:`, ...linesOfLeaves(leaves)] : []),
    ].join('\n'),
    verb: 'Remove',
    danger: true,
  })
  if (!sure) return
  const done = await attempt(() => shiftsApi.plan({ remove }), again)
  if (done) toast.success(outcomeText(done))
}

/** Publishes drafts, after a question that names the leaves that cost something else then. */
export async function publishDrafts(from: string, to: string, whose: { userIds?: number[] }): Promise<void> {
  const asks = {
    title: `Publish the drafts of ${rangeText(from, to)}?`,
    text: `${whose.userIds ? `Those of ${counted(whose.userIds.length, ['person', 'people'])}, as filtered. ` : ''}Their people see them from then on, and are notified. It can be undone completely: see the last change.`,
  }
  const which = { from, to, ...whose }
  const seen = await attempt(
    () => confirmLeaves(() => shiftsApi.publishLeaves(which), { verb: 'Publish drafts', asks }),
    [],
  )
  if (!seen) return
  const done = await attempt(() => shiftsApi.publish({ ...which, ...seen }), again)
  if (done)
    toast.success(
      `${counted(done.published, ['shift is', 'shifts are'])} published`,
      `${counted(done.people, ['person is', 'people are'])} told.`,
    )
}
