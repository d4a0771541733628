import type { CalendarEntry } from '@innkeeper/contract/planning/calendarEvents/entry'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { weeksOf } from '../../../kit/calendar/days.ts'
import { ownZone } from '../../../kit/form/zones.ts'
import { useZone } from '../../../kit/look/zone.ts'
import { eventsApi } from '../api.ts'
import { itemOf } from './entries.ts'
import { type Period, startOf } from './period.ts'

/** Entries of a period in the person's time zone. A month includes the whole first and last week. */
export function useEntries(period: Period) {
  const zone = useZone() ?? ownZone()
  const lacking = useReason()
  const mayMoveEvents = !lacking(eventsApi.update)
  const mayMoveRepeats = !lacking(eventsApi.updateRepeatable)
  const filters = { zone, kinds: period.kinds, type: period.types }
  const query = useQuery({ ...queryOf(period, filters), placeholderData: keepPreviousData })
  const items = useMemo(() => {
    const may = ({ kind }: CalendarEntry) =>
      (kind === 'event' && mayMoveEvents) || (kind === 'repeatable' && mayMoveRepeats)
    return (query.data?.items ?? []).map((entry) => itemOf(entry, zone, may))
  }, [query.data, zone, mayMoveEvents, mayMoveRepeats])
  /** Days off, with their names. */
  const marked = useMemo(
    () => new Map(query.data?.items.flatMap(({ free, from, title }) => (free ? [[from, title] as const] : []))),
    [query.data],
  )
  return { query, items, marked, weekend: query.data?.weekend, zone }
}

type Filters = Omit<Parameters<typeof eventsApi.month.query>[0], 'date'>

function queryOf(period: Period, filters: Filters) {
  if (period.view === 'range') return eventsApi.range.query({ from: period.date, to: period.to, ...filters })
  const date = startOf(period)
  if (period.view === 'year') return eventsApi.year.query({ date, ...filters })
  if (period.view === 'quarter') return eventsApi.quarter.query({ date, ...filters })
  const days = weeksOf(date).flat()
  return eventsApi.range.query({ from: days[0] ?? date, to: days.at(-1) ?? date, ...filters })
}
