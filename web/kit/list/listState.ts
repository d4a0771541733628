export type Direction = 'ASC' | 'DESC'
export type Filters = Readonly<Record<string, readonly string[]>>

/** List state in the address: `?page=2&sort=domain&direction=ASC&status=active,failed`. */
export interface ListState {
  page: number
  size: number
  sort?: string
  direction?: Direction
  filters: Filters
}

export interface ListRules {
  /** Filters of the call that the screen offers. */
  filters: readonly string[]
  /** Rows per page if the address names no number. */
  size: number
}
type Search = Readonly<Record<string, string | undefined>>

const whole = (text: string | undefined, most: number): number | undefined => {
  const n = Number(text)
  return Number.isInteger(n) && n >= 1 ? Math.min(n, most) : undefined
}

/** Reads the list state from an address and corrects invalid values, such as a page below 1 or an unknown sort. */
export function readList(search: Search, { filters, size }: ListRules): ListState {
  const direction = search.direction?.toUpperCase()
  return {
    page: whole(search.page, 1_000_000) ?? 1,
    size: whole(search.itemsPerPage, 200) ?? size,
    sort: search.sort || undefined,
    direction: direction === 'ASC' || direction === 'DESC' ? direction : undefined,
    filters: Object.fromEntries(
      filters.flatMap((key) => {
        const values = (search[key] ?? '').split(',').filter((value) => value !== '')
        return values.length ? [[key, values]] : []
      }),
    ),
  }
}

/** Writes the list state to the address without default values; keeps unrelated parameters. */
export function writeList(search: Search, state: ListState, rules: ListRules): Record<string, string> {
  const own = ['page', 'itemsPerPage', 'sort', 'direction', ...rules.filters]
  const kept = Object.entries(search).filter(([key, value]) => !own.includes(key) && value)
  const set: [string, string | undefined][] = [
    ['page', state.page > 1 ? String(state.page) : undefined],
    ['itemsPerPage', state.size !== rules.size ? String(state.size) : undefined],
    ['sort', state.sort],
    ['direction', state.sort && state.direction],
    ...rules.filters.map((key): [string, string | undefined] => [key, state.filters[key]?.join(',')]),
  ]
  // entries without a value are filtered out above
  return Object.fromEntries([...kept, ...set.filter(([, value]) => value)]) as Record<string, string>
}

/** Key of the row order without the page. An `after` cursor is valid for one such key. */
export const orderOf = ({ size, sort, direction, filters }: ListState, fixed?: object): string =>
  JSON.stringify([size, sort, direction, filters, fixed])

/** Input of the call for one page. Filters stay text, which the contract parses. */
export function toInput(state: ListState, after?: string): Record<string, unknown> {
  const { page, size, sort, direction, filters } = state
  return { page, itemsPerPage: size, sort, direction: sort && direction, after, ...filters }
}

interface Answer {
  rows: unknown[]
  total: number
  more: boolean
  next?: string
  searched?: number
}

/** Reads rows and counts of any list answer: `{ items, … }`, `{ Websites, … }`, or the pair `[items, total]`. */
export function readRows(answer: unknown): Answer {
  if (Array.isArray(answer)) return { rows: asRows(answer[0]), total: asTotal(answer[1]), more: false }
  if (typeof answer !== 'object' || answer === null) return { rows: [], total: 0, more: false }
  const fields: Record<string, unknown> = { ...answer }
  return {
    rows: asRows(Object.values(fields).find(Array.isArray)),
    total: asTotal(fields.total),
    more: fields.more === true,
    next: typeof fields.next === 'string' ? fields.next : undefined,
    searched: typeof fields.searched === 'number' ? fields.searched : undefined,
  }
}
const asRows = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const asTotal = (value: unknown): number => (typeof value === 'number' ? value : 0)
