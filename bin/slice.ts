/**
 * `npm test` runs one slice in ten of the longest tests, `npm run test:long` runs all of them. The date and the third of the day
 * choose the slice, so that runs of four days take everything. SLICE=3/10 repeats a slice, SLICE=all takes everything.
 */
const SLICES = 10
const THIRD_OF_A_DAY_MS = 28_800_000

interface Slice {
  /** The number of the slice, from 1. */
  number: number
  of: number
}

function read(text: string | undefined): Slice {
  if (!text) return { number: (Math.floor(Date.now() / THIRD_OF_A_DAY_MS) % SLICES) + 1, of: SLICES }
  if (text === 'all') return { number: 1, of: 1 }
  const [number = 0, of = 0] = text.split('/').map(Number)
  if (!(Number.isInteger(of) && Number.isInteger(number) && number >= 1 && number <= of))
    throw new Error(`SLICE=${text}: write a slice as 3/10, or all`)
  return { number, of }
}

const slice = read(process.env.SLICE)
/** The one of these values that this slice takes: another slice takes the next. */
export const ofSlice = <T>(values: readonly [T, ...T[]], offset = 0): T =>
  values[(slice.number + offset) % values.length] ?? values[0]
/** Whether this run takes every case. */
export const isWhole = slice.of === 1
/** The value for SLICE that repeats this slice. */
export const sliceName = isWhole ? 'all' : `${slice.number}/${slice.of}`

/**
 * Whether the same file runs on PostgreSQL too in this run, so that a fact which does not depend on the database is proven there.
 * `npm test` says so to the suite on PGlite; a long run and a single file prove everything.
 */
export const isProvenOnPostgres = process.env.PROVEN_ON === 'postgresql'

/** The cases of this slice, at least one: every tenth, beginning with the slice's number. */
export function sliced<T>(cases: readonly T[]): T[] {
  if (!cases.length) return []
  const first = (slice.number - 1) % Math.min(slice.of, cases.length)
  return cases.filter((_, n) => n % slice.of === first)
}

/** Every third case, beginning with the slice's number and `offset`; all in a long run. Slices in a row take all three thirds. */
export const third = <T>(cases: readonly T[], offset = 0): T[] =>
  isWhole ? [...cases] : cases.filter((_, n) => (n + slice.number + offset) % 3 === 0)
