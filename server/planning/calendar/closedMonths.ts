import { sql } from 'drizzle-orm'
import { dayFormat, texts } from '../../kit/app/language.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { sqlState } from '../../kit/db/failures.ts'
import { refused } from '../../kit/http/errors.ts'

/**
 * Advisory lock: planners hold it shared, a person who closes a month holds it exclusively. Planning and closing thus
 * exclude each other.
 */
const MONTHS = 4_400_020

export const monthOf = (date: string): string => `${date.slice(0, 7)}-01`

/**
 * First days of the closed months in a range. Locks, so that no month is opened or closed until the transaction ends.
 */
export async function closedMonths(db: Db, from: string, to: string): Promise<Set<string>> {
  await db.execute(sql`select pg_advisory_xact_lock_shared(${MONTHS})`)
  return readClosed(db, from, to)
}

/** As closedMonths, without a lock. */
export async function readClosed(db: Db, from: string, to: string): Promise<Set<string>> {
  const found = await rows<{ month: string }>(
    db,
    sql`select month::text as month from shift_months where month between ${monthOf(from)}::date and ${to}::date order by month`,
  )
  return new Set(found.map(({ month }) => month))
}

/** Locks all months before one is closed or opened; waits for planners. */
export const holdMonths = (db: Db) => db.execute(sql`select pg_advisory_xact_lock(${MONTHS})`)

/** 422 if one of these days is in a closed month. */
export async function mustBeOpen(db: Db, dates: readonly string[]): Promise<void> {
  const sorted = dates.toSorted()
  const [first] = sorted
  const last = sorted.at(-1)
  if (!first || !last) return
  const closed = await closedMonths(db, first, last)
  const date = sorted.find((day) => closed.has(monthOf(day)))
  if (date) throw refused(closedText(date), { date: closedText(date) })
}

const month = dayFormat({ month: 'long', year: 'numeric' })
const closed = texts(
  { isClosed: (name: string) => `${name} is closed` },
  { de: { isClosed: (name) => `${name} ist abgeschlossen` } },
)
export const closedText = (date: string): string => closed().isClosed(month(date))

/** True for the error of the database trigger that protects closed months. */
export const isClosedError = (error: unknown): boolean => sqlState(error)?.code === 'P0C01'
