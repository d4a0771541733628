/** A schedule in the five fields of cron: minute, hour, day of the month, month, weekday. `L` is the last day of a month. */
export interface Cron {
  minutes: number[]
  hours: number[]
  /** Days of the month; 'last' is the last day of each month. */
  days: (number | 'last')[]
  months: number[]
  /** 1 Monday … 7 Sunday. */
  weekdays: number[]
  /** Whether both days and weekdays are given: cron then runs on either. */
  either: boolean
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Parses an expression; undefined if cron would reject it. */
export function readCron(text: string): Cron | undefined {
  const fields = text.trim().toLowerCase().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  if (fields.length !== 5) return undefined
  const minutes = readField(minute, 0, 59)
  const hours = readField(hour, 0, 23)
  const days = day === 'l' ? ['last' as const] : readField(day, 1, 31)
  const months = readField(month, 1, 12, MONTHS, 1)
  const numbers = readField(weekday, 0, 7, WEEKDAYS)
  if (!minutes || !hours || !days || !months || !numbers) return undefined
  const weekdays = [...new Set(numbers.map((n) => n || 7))].sort((a, b) => a - b)
  return { minutes, hours, days, months, weekdays, either: !day.startsWith('*') && !weekday.startsWith('*') }
}

/** Parses one field: `*`, `5`, `1-5`, `mon-fri`, `*\/15`, and lists of these. */
function readField(text: string, min: number, max: number, names: string[] = [], first = 0): number[] | undefined {
  const number = (part: string) => {
    const named = names.indexOf(part)
    return named >= 0 ? named + first : /^\d{1,2}$/.test(part) ? Number(part) : Number.NaN
  }
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const [, range = '', step = '1'] = /^(\*|\w+(?:-\w+)?)(?:\/(\d{1,2}))?$/.exec(part) ?? []
    const [low = '', high = part.includes('/') ? String(max) : low] = range.split('-')
    const [from, to] = range === '*' ? [min, max] : [number(low), number(high)]
    if (!(from >= min && to <= max && from <= to && Number(step) > 0)) return undefined
    for (let n = from; n <= to; n += Number(step)) found.add(n)
  }
  return [...found].sort((a, b) => a - b)
}
