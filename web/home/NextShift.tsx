import { useQuery } from '@tanstack/react-query'
import { addDays, dayText } from '../kit/calendar/days.ts'
import { ErrorLine } from '../kit/frame/ErrorLine.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { useNow } from '../kit/look/useNow.ts'
import { shiftsApi } from '../shifts/api.ts'
import { HomeRow } from './HomeRow.tsx'

const SHOWN = 3

/** The person's next shift; renders nothing without shifts. */
export function NextShift() {
  const now = useNow(60_000)
  const { data, error } = useQuery(shiftsApi.next.query())
  if (error && !data)
    return (
      <Section title="Next shift" pad={false}>
        <ErrorLine error={error} />
      </Section>
    )
  if (!data?.items.length) return null
  const dayOf = (date: string) =>
    date === data.today ? 'Today' : date === addDays(data.today, 1) ? 'Tomorrow' : dayText(date, 'long')
  return (
    <Section title="Next shift" pad={false}>
      {data.items.slice(0, SHOWN).map((shift) => {
        const isOn = Date.parse(shift.startsAt) <= now.getTime()
        return (
          <HomeRow
            key={shift.id}
            plain
            name={dayOf(shift.date)}
            kind={shift.name}
            note={
              isOn ? `Until ${shift.endTime}` : shift.breakMinutes ? `With a break of ${shift.breakMinutes} min` : ''
            }
            when={`${shift.startTime}–${shift.endTime}`}
            state={isOn ? 'running' : 'pending'}
            stateName={isOn ? 'Now' : 'Planned'}
          />
        )
      })}
    </Section>
  )
}
