import type { ShiftType } from '@innkeeper/contract/planning/shifts/shapes'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { counted } from '../../../kit/look/format.ts'
import { shiftsApi } from '../api.ts'
import css from './automation.module.css'

/** Days of a pattern that a list shows; the rest is counted. */
const MOST = 14

/** Types of shift by id, as far as the reader may see them. */
export function useTypes(): { types: ReadonlyMap<number, ShiftType>; lacking: string | undefined } {
  const lacking = useReason()(shiftsApi.types)
  const { data } = useQuery({ ...shiftsApi.types.query({}), enabled: !lacking })
  return { types: new Map(data?.items.map((type) => [type.id, type])), lacking }
}

/** "Repeats after 10 days", "Repeats each week". */
export const everyText = ({ length }: { length: number }): string =>
  length === 7
    ? 'Repeats each week'
    : `Repeats after ${length % 7 ? `${length} days` : counted(length / 7, ['week', 'weeks'])}`

/** A pattern as a row of days in the colours of the roster; a day off is empty. */
export function PatternStrip({
  pattern,
  types,
}: {
  pattern: readonly (number | null)[]
  types: ReadonlyMap<number, ShiftType>
}) {
  const days = pattern.slice(0, MOST)
  const words = days.map((id) => (id === null ? 'off' : (types.get(id)?.name ?? `type ${id}`)))
  return (
    <span className={css.strip} role="img" aria-label={words.join(', ')} title={words.join(', ')}>
      {days.map((id, n) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a day of a pattern is identified by its position
          key={n}
          className={css.day}
          data-colour={id === null ? undefined : types.get(id)?.colour}
          data-off={id === null || undefined}
        >
          {id === null ? '' : (types.get(id)?.code ?? '?')}
        </span>
      ))}
      {pattern.length > MOST && <span className={css.more}>+{pattern.length - MOST}</span>}
    </span>
  )
}
