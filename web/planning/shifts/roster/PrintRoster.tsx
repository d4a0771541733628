import type { Roster } from '@innkeeper/contract/planning/shifts/calls'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Day, dayText, isWeekend } from '../../../kit/calendar/days.ts'
import type { Lane } from '../../../kit/calendar/LaneGrid.tsx'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { count } from '../../../kit/look/format.ts'
import css from '../../../kit/look/print.module.css'
import { shiftsApi } from '../api.ts'
import { hoursText } from '../words.ts'
import { hoursOf, itemsByPerson, type ShiftItem } from './items.ts'
import { lanesOf } from './lanes.tsx'
import { joined, partsOf } from './parts.ts'

interface Props {
  title: string
  days: readonly Day[]
  /** Names, open shifts and rules. */
  roster: Roster
  /** The people of the rows, in their order. */
  people: Roster['people']
  weekend: readonly number[]
  /** Name of each marked day. */
  marked: ReadonlyMap<Day, string>
  done: () => void
}

/** Reads the rows of everybody, because the screen has only those in view, and prints them. */
export default function PrintRoster({ roster, people, ...paper }: Props) {
  const { days, done } = paper
  const [from, to] = [days[0] ?? roster.from, days.at(-1) ?? roster.to]
  const [read, setRead] = useState(0)
  const { data, error } = useQuery({
    queryKey: [...shiftsApi.roster.key, 'print', from, to, people.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const parts: Roster[] = []
      for (const userIds of partsOf(people.map(({ id }) => id))) {
        parts.push(await shiftsApi.roster({ from, to, userIds }, { signal }))
        setRead((known) => known + userIds.length)
      }
      return parts
    },
    staleTime: 0,
    gcTime: 0,
  })
  const lanes = useMemo(() => {
    if (!data) return undefined
    const open = { ...roster, shifts: roster.shifts.filter(({ userId }) => userId === null) }
    const items = itemsByPerson(joined(open, data), true)
    return lanesOf({
      people,
      items,
      notes: [],
      me: 0,
      from,
      teams: undefined,
      read: new Set(people.map(({ id }) => id)),
    })
  }, [data, roster, people, from])
  if (lanes) return <Paper {...paper} lanes={lanes} />
  return (
    <Dialog opened onClose={done} title="Print" size={360}>
      <Stack gap={12}>
        {error ? (
          <ErrorLine error={error} />
        ) : (
          <Text role="status">
            Reading the shifts: {count(Math.min(read, people.length))} of {count(people.length)} people
          </Text>
        )}
      </Stack>
    </Dialog>
  )
}

/** The roster as a plain table for paper. Drafts are in brackets. */
function Paper({
  title,
  days,
  lanes,
  weekend,
  marked,
  done,
}: Omit<Props, 'roster' | 'people'> & { lanes: Lane<ShiftItem>[] }) {
  useEffect(() => {
    globalThis.addEventListener('afterprint', done)
    globalThis.print()
    return () => globalThis.removeEventListener('afterprint', done)
  }, [done])
  const isFree = (day: Day) => marked.has(day) || isWeekend(day, weekend)
  return createPortal(
    <section className={css.paper} data-print-paper>
      <h1>{title}</h1>
      <table>
        <thead>
          <tr>
            <th scope="col">Person</th>
            {days.map((day) => (
              <th key={day} scope="col" data-free={isFree(day) || undefined}>
                {dayText(day, 'weekday').slice(0, 2)}
                <br />
                {Number(day.slice(8))}
              </th>
            ))}
            <th scope="col">Hours</th>
          </tr>
        </thead>
        <tbody>
          {lanes.map(({ id, name, items }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {days.map((day) => (
                <td key={day} data-free={isFree(day) || undefined}>
                  {wordsOn(items, day)}
                </td>
              ))}
              <td>{hoursText(hoursOf(items, days[0] ?? ''))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{legendOf(lanes)}</p>
    </section>,
    document.body,
  )
}

/** "E", "(N)" for a draft, "–" for a leave, "×" for a day off. */
export const wordsOn = (items: readonly ShiftItem[], day: Day): string =>
  items
    .filter(({ from, to }) => from <= day && day <= to)
    .flatMap(({ shift, short, look }) =>
      shift ? [look === 'dashed' ? `(${short})` : short] : look === 'hatched' ? [short || '–'] : [],
    )
    .join(' ')

/** "E Early 06:00–14:00, N Night 22:00–06:00, – leave, × day off": the shifts of this paper. */
export function legendOf(lanes: readonly { items: readonly ShiftItem[] }[]): string {
  const all = lanes.flatMap(({ items }) => items.flatMap(({ shift }) => shift ?? []))
  const kinds = new Set(all.map(({ code, name, startTime, endTime }) => `${code} ${name} ${startTime}–${endTime}`))
  return [...[...kinds].sort(), '(…) draft', '– leave', '× day off'].join(', ')
}
