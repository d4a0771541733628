import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { type Day, dayText, isWeekend } from '../../../kit/calendar/days.ts'
import type { Lane } from '../../../kit/calendar/LaneGrid.tsx'
import css from '../../../kit/look/print.module.css'
import { hoursText } from '../words.ts'
import { hoursOf, type ShiftItem } from './items.ts'

interface Props {
  title: string
  days: readonly Day[]
  lanes: readonly Lane<ShiftItem>[]
  weekend: readonly number[]
  /** Name of each marked day. */
  marked: ReadonlyMap<Day, string>
  done: () => void
}

/** The roster as a plain table for paper: the grid on the screen draws only the rows in view. Drafts are in brackets. */
export default function PrintRoster({ title, days, lanes, weekend, marked, done }: Props) {
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
