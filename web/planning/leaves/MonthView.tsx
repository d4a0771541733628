import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { DayList } from '../../kit/calendar/DayList.tsx'
import { addMonths, daysOf, dayText, monthEnd, monthOf, readDay, today } from '../../kit/calendar/days.ts'
import { LaneGrid } from '../../kit/calendar/LaneGrid.tsx'
import { Legend } from '../../kit/calendar/Legend.tsx'
import { PeriodBar } from '../../kit/calendar/PeriodBar.tsx'
import { EmptyState, ErrorState } from '../../kit/frame/emptyStates.tsx'
import { count } from '../../kit/look/format.ts'
import { shownZone } from '../../kit/look/zone.ts'
import { eventsApi } from '../calendarEvents/api.ts'
import { leavesApi } from './api.ts'
import { asItem, type Item, lanesOf, legendOf, MOST, readMonth } from './monthItems.ts'
import { shortsOf } from './shorts.ts'
import { absenceTexts } from './texts.ts'
import { kindWords } from './words.ts'

/** Absences of a month: a row per person, a column per day. */
export default function MonthView() {
  const words = absenceTexts()
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const now = today(shownZone())
  const month = monthOf(readDay(`${search.month}-01`) ?? now)
  const query = useQuery({
    queryKey: [...leavesApi.requests.key, 'month', month],
    queryFn: ({ signal }) => readMonth(month, signal),
    placeholderData: keepPreviousData,
  })
  const calendar = useQuery({
    ...eventsApi.holidays.query({ from: month, to: monthEnd(month) }),
    placeholderData: keepPreviousData,
  })
  const show = (day: string) => void navigate({ to: '.', search: { ...search, tab: 'month', month: day.slice(0, 7) } })
  const open = ({ leave }: Item) => void navigate({ to: '.', search: { ...search, leave: String(leave.id) } })
  if (query.error && !query.data)
    return <ErrorState title={words.notLoaded} error={query.error} onRetry={() => void query.refetch()} />
  const leaves = query.data ?? []
  const shorts = shortsOf(leaves.map(kindWords))
  const items = leaves.map((leave) => asItem(leave, shorts.get(kindWords(leave)) ?? ''))
  const days = daysOf(month, monthEnd(month))
  const label = words.leavesIn(dayText(month, 'month'))
  const empty = query.data && (
    <EmptyState title={words.nobodyAway} tag="LV">
      {words.noneInMonth}
    </EmptyState>
  )
  return (
    <>
      <PeriodBar
        label={dayText(month, 'month')}
        unit={words.month}
        isNow={month === monthOf(now)}
        onTurn={(by) => show(addMonths(month, by))}
        onToday={() => show(now)}
      >
        <Legend entries={legendOf(items)} />
      </PeriodBar>
      {items.length >= MOST && (
        <Text c="dimmed" fz="sm" px="var(--ink-gutter)" py={6} role="status">
          {words.firstOnes(count(MOST))}
        </Text>
      )}
      {phone ? (
        <DayList
          label={label}
          days={days}
          items={items}
          today={now}
          whose={({ leave }) => leave.userName}
          onOpen={open}
          onlyFilled
          empty={empty}
        />
      ) : (
        <LaneGrid
          label={label}
          days={days}
          lanes={lanesOf(items)}
          today={now}
          marked={new Map(calendar.data?.items.map(({ date, name }) => [date, name]))}
          weekend={calendar.data?.weekend}
          onOpen={open}
          onTurn={(by) => show(addMonths(month, by))}
          empty={empty}
        />
      )}
    </>
  )
}
