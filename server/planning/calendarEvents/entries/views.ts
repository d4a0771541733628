import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { readPlaces } from '../../calendar/places.ts'
import { readEntries } from './entries.ts'
import type { Window } from './source.ts'
import { checkSpan, type Span, spanOf } from './span.ts'

interface Asked {
  kinds?: Parameters<typeof readEntries>[2]
  type?: Window['type']
  zone?: string | undefined
}

/** Maximum of entries in one answer; the answer says if there are more. */
const MOST = 20_000

async function view(
  span: Span,
  { kinds, type, zone }: Asked,
  { db, staff }: Context,
): Promise<Output<typeof contract.month, 'in'>> {
  const placeOf = await readPlaces(db)
  const items = await readEntries(db, { ...span, zone: zone ?? placeOf(null).timeZone, staff, type }, kinds)
  const weekend = [...placeOf(staff.departmentId).weekend]
  return { ...span, items: items.slice(0, MOST), weekend, ...(items.length > MOST && { more: true }) }
}

export const viewHandlers: Pick<Handlers<typeof contract>, 'month' | 'quarter' | 'year' | 'range'> = {
  month: ({ date, ...asked }, context) => view(spanOf(date, 1), asked, context),
  quarter: ({ date, ...asked }, context) => view(spanOf(date, 3), asked, context),
  year: ({ date, ...asked }, context) => view(spanOf(date, 12), asked, context),
  async range({ from, to, ...asked }, context) {
    checkSpan(from, to)
    return view({ from, to }, asked, context)
  },
}
