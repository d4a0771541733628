import { writeDay } from '../../kit/form/dates.ts'

export const statusWords = { draft: 'Draft', submitted: 'Submitted', acknowledged: 'Acknowledged' } as const
/** The states whose mark and colour an audit shows. */
export const statusMarks = { draft: 'waiting', submitted: 'begun', acknowledged: 'active' } as const

export const percent = (value: number | null): string => (value === null ? '–' : `${Math.round(value * 10) / 10} %`)

export const periodWords = ({ periodStart, periodEnd }: { periodStart: string; periodEnd: string }): string =>
  `${writeDay(periodStart)} – ${writeDay(periodEnd)}`
