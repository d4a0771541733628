import { dayText } from '../../../kit/calendar/days.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { counted } from '../../../kit/look/format.ts'

const SOME = 10

/** Shows the moved and cancelled days that a changed rule drops. True: save anyway. */
export async function confirmLostDays(
  days: readonly { day: string; kind: 'changed' | 'cancelled' }[],
): Promise<boolean> {
  const lines = days.slice(0, SOME).map(({ day, kind }) => `${dayText(day, 'short')} ${day.slice(0, 4)}, ${kind}`)
  const more = days.length - lines.length
  const answer = await confirm({
    title: `The new rule drops ${counted(days.length, ['day', 'days'])} that you changed`,
    text: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    verb: 'Save and drop these days',
  })
  return answer !== undefined
}
