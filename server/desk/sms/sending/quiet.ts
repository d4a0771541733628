import { isQuiet } from '../../../access/notifications/quiet.ts'
import { addDays } from '../../../planning/calendar/days.ts'
import { instantOf } from '../../../planning/calendar/times.ts'
import type { Settings } from '../settings.ts'

/** End of the quiet hours in the recipient's time zone; undefined outside quiet hours. */
export function endOfQuiet(
  now: Date,
  { quietFrom, quietTo, timeZone }: Settings,
  zone: string | null,
): string | undefined {
  const here = zone ?? timeZone
  if (!quietTo || !isQuiet(now, here, quietFrom, quietTo)) return undefined
  const form = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: here })
  const [day = '', time = ''] = form.format(now).split(' ')
  return instantOf(`${time < quietTo ? day : addDays(day, 1)}T${quietTo}`, here)
}
