import { useState } from 'react'
import { DayList } from '../kit/calendar/DayList.tsx'
import { addDays, addMonths, daysOf, dayText, monthEnd, monthOf, weekOf } from '../kit/calendar/days.ts'
import type { CalendarItem, Place } from '../kit/calendar/items.ts'
import { LaneGrid } from '../kit/calendar/LaneGrid.tsx'
import { MonthGrid } from '../kit/calendar/MonthGrid.tsx'
import { PeriodBar } from '../kit/calendar/PeriodBar.tsx'
import { toast } from '../kit/dialogs/toast.ts'
import { Section } from '../kit/frame/Section.tsx'
import css from './Calendars.module.css'

const kinds = [
  { label: 'Early', short: 'E', colour: 'info', minutes: [360, 840] },
  { label: 'Late', short: 'L', colour: 'warning', minutes: [840, 1320] },
  { label: 'Night', short: 'N', colour: 'accent', minutes: [1320, 1800] },
] as const
interface Shown extends CalendarItem {
  lane: string
}
const now = '2026-11-21'
const days = daysOf(monthOf(now), monthEnd(now))

/** Two hundred people, about twenty shifts each. */
const rota = Array.from({ length: 200 }, (_, person) =>
  days.flatMap((day, n): Shown[] => {
    const turn = (n + person * 3) % 10
    if (turn > 6) return []
    const kind = kinds[turn < 3 ? 0 : turn < 5 ? 1 : 2] ?? kinds[0]
    return [
      { id: `${person}/${day}`, lane: String(person), from: day, to: day, look: n > 24 ? 'dashed' : 'solid', ...kind },
    ]
  }),
).flat()
const stays: Shown[] = [
  { id: 'a', lane: '', from: '2026-11-05', to: '2026-11-11', label: 'Team building', colour: 'primary' },
  {
    id: 'b',
    lane: '',
    from: '2026-11-06',
    to: '2026-11-06',
    label: 'Maintenance',
    colour: 'warning',
    minutes: [120, 240],
  },
  { id: 'c', lane: '', from: '2026-11-06', to: '2026-11-07', label: 'Away', colour: 'neutral', look: 'hatched' },
  { id: 'd', lane: '', from: '2026-11-06', to: '2026-11-06', label: 'A fourth on one day', colour: 'info' },
]
const marked = new Map([['2026-11-11', 'A holiday']])

/** The grids of shifts, leaves and events. Dragged items stay where they are dropped. */
export function Calendars() {
  const [items, setItems] = useState(rota)
  const [month, setMonth] = useState(now)
  const [events, setEvents] = useState(stays)
  const lanes = Array.from({ length: 200 }, (_, n) => ({
    id: String(n),
    name: n ? `Guest ${n}` : 'Ingrid Solberg',
    hint: n ? undefined : 'you',
    items: items.filter(({ lane }) => lane === String(n)),
    end: '179.7',
  }))
  const put = (item: Shown, place: Place & { lane?: string }) =>
    setItems((all) => all.map((one) => (one.id === item.id ? { ...one, ...place } : one)))
  const week = daysOf(weekOf(now), addDays(weekOf(now), 6))
  const say = (what: string) => toast.info(what)
  return (
    <>
      <Section title="LaneGrid: a month of 200 people" pad={false}>
        <div className={css.tall}>
          <LaneGrid
            label="Shifts of November"
            days={days}
            lanes={lanes}
            today={now}
            marked={marked}
            endTitle="Hours"
            tops={[{ id: 'E', name: 'Early', hint: 'needs 3', cell: (day) => (Number(day.slice(8)) % 4 ? 3 : 2) }]}
            onOpen={({ label, from }) => say(`${label}, ${dayText(from, 'long')}`)}
            onPick={({ lanes: who, from, to }) => say(`${who.length} from ${from} to ${to}`)}
            onMove={put}
            onRemove={(gone) => setItems((all) => all.filter((one) => !gone.includes(one)))}
          />
        </div>
      </Section>
      <Section title="LaneGrid: a week by time of day" pad={false}>
        <div className={css.tall}>
          <LaneGrid
            label="Shifts of the week"
            days={week}
            lanes={lanes.slice(0, 12)}
            today={now}
            scale="time"
            onOpen={({ label }) => say(label)}
            onPick={({ from, to }) => say(`${from} to ${to}`)}
            onMove={put}
            onResize={put}
          />
        </div>
      </Section>
      <Section title="MonthGrid" pad={false}>
        <div className={css.tall}>
          <PeriodBar
            label={dayText(month, 'month')}
            unit="month"
            isNow={monthOf(month) === monthOf(now)}
            onTurn={(by) => setMonth(addMonths(month, by))}
            onToday={() => setMonth(now)}
          />
          <MonthGrid
            label="Events of the month"
            month={month}
            items={events}
            today={now}
            marked={marked}
            onOpen={({ label }) => say(label)}
            onPick={(from, to) => say(`${from} to ${to}`)}
            onDay={say}
            onMove={(item, place) =>
              setEvents((all) => all.map((one) => (one.id === item.id ? { ...one, ...place } : one)))
            }
            onResize={(item, place) =>
              setEvents((all) => all.map((one) => (one.id === item.id ? { ...one, ...place } : one)))
            }
            onTurn={(by) => setMonth(addMonths(month, by))}
          />
        </div>
      </Section>
      <Section title="DayList" pad={false}>
        <div className={css.tall}>
          <DayList
            label="Events by day"
            days={days}
            items={events}
            today={now}
            onlyFilled
            onOpen={({ label }) => say(label)}
          />
        </div>
      </Section>
    </>
  )
}
