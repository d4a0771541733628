import type { Shift } from '@innkeeper/contract/planning/shifts/calls'
import { dayText } from '../../../kit/calendar/days.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { shiftsApi } from '../api.ts'
import { attemptWarned } from '../planning/warnings.ts'
import { timesText } from '../words.ts'

const text = (shift: Shift) => `${timesText(shift)} of ${dayText(shift.date, 'long')}`

/** Exchanges the people of two shifts, after a question. */
export async function exchange(a: Shift, b: Shift): Promise<void> {
  const sure = await confirm({
    title: `Exchange the shifts of ${a.userName} and ${b.userName}?`,
    text: `${a.userName} gets ${text(b)}, and ${b.userName} gets ${text(a)}. Both are notified, and the change can be undone.`,
    verb: 'Exchange',
  })
  if (!sure) return
  const pair = { id: a.id, version: a.version, otherId: b.id, otherVersion: b.version }
  await attemptWarned((stopAtWarnings) => shiftsApi.exchange({ ...pair, stopAtWarnings }), 'Exchange')
}
