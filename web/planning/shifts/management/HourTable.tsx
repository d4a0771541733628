import type { ReactNode } from 'react'
import css from '../shifts.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** A table with a row per day and a column per hour; scrolls sideways if too narrow. */
export const HourTable = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
  <section className={css.heat} aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {hours.map((hour) => (
            <th key={hour} scope="col">
              {hour}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
)
