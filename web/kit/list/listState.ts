export type Direction = 'ASC' | 'DESC'
export type Filters = Readonly<Record<string, readonly string[]>>

/** What the address says of a list: `?page=2&sort=domain&direction=ASC&status=active,failed`. */
export interface ListState {
  page: number
  size: number
  sort?: string
  direction?: Direction
  filters: Filters
}

export interface ListRules {
  /** Names of the call's filters that the screen offers. */
  filters: readonly string[]
  /** Rows per page when the address does not say. */
  size: number
}
type Search = Readonly<Record<string, string | undefined>>

const whole = (text: string | undefined, most: number): number | undefined => {
  const n = Number(text)
  return Number.isInteger(n) && n >= 1 ? Math.min(n, most) : undefined
}

/** Whatever stands in the address is a list: a page below 1, a size of 5000 or a stray sort are put right. */
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

/** The state as the address carries it; what is usual is left out. Other things of the address stay. */
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
  // entries without a value were taken out just before
  return Object.fromEntries([...kept, ...set.filter(([, value]) => value)]) as Record<string, string>
}

/** The same rows in the same order, page apart: what an `after` key belongs to. */
export const orderOf = ({ size, sort, direction, filters }: ListState, fixed?: object): string =>
  JSON.stringify([size, sort, direction, filters, fixed])

/** The call's input of a page. Filters go as text, the contract reads them. */
export function toInput(state: ListState, after?: string): Record<string, unknown> {
  const { page, size, sort, direction, filters } = state
  return { page, itemsPerPage: size, sort, direction: sort && direction, after, ...filters }
}

/** Any list of the API as rows and counts: `{ items, … }`, `{ Websites, … }`, or the pair `[items, total]`. */
export function readRows(answer: unknown): { rows: unknown[]; total: number; more: boolean; next?: string } {
  if (Array.isArray(answer)) return { rows: asRows(answer[0]), total: asTotal(answer[1]), more: false }
  if (typeof answer !== 'object' || answer === null) return { rows: [], total: 0, more: false }
  const fields: Record<string, unknown> = { ...answer }
  return {
    rows: asRows(Object.values(fields).find(Array.isArray)),
    total: asTotal(fields.total),
    more: fields.more === true,
    next: typeof fields.next === 'string' ? fields.next : undefined,
  }
}
const asRows = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const asTotal = (value: unknown): number => (typeof value === 'number' ? value : 0)
