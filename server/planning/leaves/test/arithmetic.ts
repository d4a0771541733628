/**
 * The rules of leave as plain arithmetic, for comparison with the product: no code of it is used here. Days are text, figures are
 * days.
 */
const DAY = 86_400_000
const ms = (day: string) => Date.parse(`${day}T00:00:00Z`)
export const days = (day: string, n: number): string => new Date(ms(day) + n * DAY).toISOString().slice(0, 10)
const next = (day: string): string => days(day, 1)
/** 1 is Monday. */
const weekday = (day: string): number => ((Math.round(ms(day) / DAY) + 3) % 7) + 1
const yearOf = (day: string) => Number(day.slice(0, 4))

/** Western Easter Sunday, by the rule of Gauss and Butcher. */
function easter(year: number): string {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const k = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * k) / 451)
  const n = h + k - 7 * m + 114
  return `${year}-${String(Math.floor(n / 31)).padStart(2, '0')}-${String((n % 31) + 1).padStart(2, '0')}`
}

const fixed = ['01-01', '05-01', '05-17', '12-25', '12-26']
const ofEaster = [-3, -2, 0, 1, 39, 49, 50]
const isNorwegian = (day: string) =>
  fixed.includes(day.slice(5)) || ofEaster.some((n) => days(easter(yearOf(day)), n) === day)
const isHalf = (day: string) => ['12-24', '12-31'].includes(day.slice(5))

interface Span {
  start: string
  end: string
  startPart?: string
  endPart?: string
}
interface Week {
  from: string
  minutes: readonly number[]
}

const CARRIED = 5
const up = (n: number) => Math.ceil(Math.round(n * 2 * 1e6) / 1e6) / 2

/** Account of a person: what each year brings, what leaves cost, and what is carried and expires. */
export function bookOf(place: 'norway' | 'nowhere') {
  const weeks: Week[] = []
  const leaves = new Map<number, { span: Span; cost: Map<number, number> }>()
  const granted = new Map<number, number>()
  const carriedIn = new Map<number, number>()
  const lapsed = new Map<number, number>()
  const expired = new Map<number, number>()
  let [typeDays, own] = [25, null as number | null]
  let firstDay = ''

  const weekOn = (day: string) =>
    weeks
      .filter(({ from }) => from <= day)
      .sort((a, b) => a.from.localeCompare(b.from))
      .at(-1)
  const works = (day: string) => (weekOn(day)?.minutes[weekday(day) - 1] ?? (weekday(day) < 6 ? 1 : 0)) > 0
  const costOn = (day: string, { start, end, startPart, endPart }: Span) => {
    if (day < firstDay || !works(day)) return 0
    if (place === 'norway' && isNorwegian(day)) return 0
    const morning = !((day === start && startPart === 'afternoon') || (start === end && endPart === 'afternoon'))
    const afternoon = !((day === end && endPart === 'morning') || (start === end && startPart === 'morning'))
    return (morning ? 0.5 : 0) + (afternoon && !(place === 'norway' && isHalf(day)) ? 0.5 : 0)
  }
  const costOf = (span: Span) => {
    const cost = new Map<number, number>()
    for (let day = span.start; day <= span.end; day = next(day))
      cost.set(yearOf(day), (cost.get(yearOf(day)) ?? 0) + costOn(day, span))
    return cost
  }
  const brings = (year: number) => {
    if (!firstDay || yearOf(firstDay) > year) return 0
    const first = yearOf(firstDay) < year ? 1 : Number(firstDay.slice(5, 7))
    if (own !== null) return up((own * (13 - first)) / 12)
    let months = 0
    for (let month = first; month <= 12; month++) {
      const begin = `${year}-${String(month).padStart(2, '0')}-01`
      const week = weekOn(begin > firstDay ? begin : firstDay)
      months += week ? week.minutes.filter((one) => one > 0).length / 5 : 1
    }
    return up((typeDays * months) / 12)
  }
  /** A rule of leave reaches the running year and no past one. */
  const again = (today: string) => {
    for (const year of granted.keys()) if (year >= yearOf(today)) granted.set(year, brings(year))
    for (const { span, cost } of leaves.values())
      for (const [year, n] of costOf(span)) if (year >= yearOf(today)) cost.set(year, n)
  }
  const know = (year: number) => {
    if (!granted.has(year)) granted.set(year, brings(year))
  }
  const used = (year: number, until = '9999') =>
    [...leaves.values()].reduce((sum, { span, cost }) => sum + (span.start <= until ? (cost.get(year) ?? 0) : 0), 0)
  const balance = (year: number) => {
    know(year)
    const carriedOut = carriedIn.get(year + 1) ?? 0
    return (
      (granted.get(year) ?? 0) +
      (carriedIn.get(year) ?? 0) -
      carriedOut -
      (expired.get(year) ?? 0) -
      (lapsed.get(year) ?? 0) -
      used(year)
    )
  }

  return {
    get firstDay() {
      return firstDay
    },
    joined(day: string, today: string) {
      const wasKnown = firstDay !== ''
      if (wasKnown) know(yearOf(today) - 1)
      firstDay = day
      again(today)
    },
    works(from: string, minutes: readonly number[], today: string) {
      know(yearOf(today) - 1)
      const same = weeks.findIndex((week) => week.from === from)
      if (same >= 0) weeks.splice(same, 1)
      weeks.push({ from, minutes })
      again(today)
    },
    entitled(yearly: number | null, today: string) {
      know(yearOf(today) - 1)
      know(yearOf(today))
      own = yearly
      again(today)
    },
    yearly(n: number, today: string) {
      know(yearOf(today) - 1)
      know(yearOf(today))
      typeDays = n
      again(today)
    },
    take(id: number, span: Span) {
      const cost = costOf(span)
      for (const year of cost.keys()) know(year)
      leaves.set(id, { span, cost })
    },
    drop: (id: number) => void leaves.delete(id),
    /** A leave that has not begun. */
    ahead: (today: string) => [...leaves].find(([, { span }]) => span.start > today)?.[0],
    /** The year before is carried over, and what was carried and not used by the end of June expires. */
    turn(today: string) {
      const year = yearOf(today)
      know(year - 1)
      know(year)
      const left = balance(year - 1)
      if (left > 0) {
        const over = Math.min(left, Math.max(0, CARRIED - (carriedIn.get(year) ?? 0)))
        carriedIn.set(year, (carriedIn.get(year) ?? 0) + over)
        expired.set(year - 1, (expired.get(year - 1) ?? 0) + left - over)
      }
      if (today <= `${year}-06-30`) return
      const unused = (carriedIn.get(year) ?? 0) - (lapsed.get(year) ?? 0) - used(year, `${year}-06-30`)
      const lost = Math.min(unused, balance(year))
      if (lost > 0) lapsed.set(year, (lapsed.get(year) ?? 0) + lost)
    },
    balance,
    figures: (year: number) => ({
      ...{ granted: granted.get(year), carried: carriedIn.get(year), expired: expired.get(year) },
      ...{ lapsed: lapsed.get(year), used: used(year) },
    }),
  }
}
export type Book = ReturnType<typeof bookOf>
