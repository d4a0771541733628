import css from './charts.module.css'
import type { ChartData } from './scale.ts'
import { tableOf } from './words.ts'

interface Props {
  title: string
  data: ChartData
  format: (value: number) => string
}

/** All values of a chart as a table. */
export function ChartTable({ title, data, format }: Props) {
  const { heads, rows } = tableOf(data, format)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by keys
    <section className={css.tableScroller} aria-label={`Table of ${title}`} tabIndex={0}>
      <table className={css.table} aria-label={title}>
        <thead>
          <tr>
            <td />
            {heads.map((head, n) => (
              // two series may have a column of the same name
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <th scope="col" key={n}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {cells.map((cell, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                <td key={n}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
