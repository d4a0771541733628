import { type SQL, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { all } from '../../../kit/db/page.ts'
import { beginOf, dayOf, endOf } from '../../../planning/calendar/dayBounds.ts'
import { timeZoneOf } from '../../../planning/calendar/places.ts'
import { type Asked, matching, spanOf } from './asked.ts'
import { type Day, packed, readReviews, unpacked } from './day.ts'

/** Maximum number of days that one round packs. */
const MOST = 400

const lockOf = (day: SQL) => sql`hashtext('qc day ' || ${day}::text)`

/**
 * Removes the packed days of changed reviews, in the transaction of the change. The shared lock keeps the worker from
 * packing a day while a change in it is not committed. The days around an instant in UTC include its day in every zone.
 */
export async function unpackDays(db: Db, instants: readonly string[]): Promise<void> {
  const at = sql`unnest(${sql.param([...instants])}::timestamptz[]) as at`
  const around = sql`select distinct (at at time zone 'UTC')::date + n as day from ${at}, generate_series(-1, 1) as n order by 1`
  await db.execute(sql`select pg_advisory_xact_lock_shared(${lockOf(sql`day`)}) from (${around}) as d`)
  await db.execute(
    sql`delete from qc_review_days where day in (select day from qc_review_days where day in (${around})
      and exists (select from ${at} where ${dayOf(sql`at`, sql`time_zone`)} = day) order by day for update)`,
  )
}

/** Conditions for the reviews of these days that match the filters. */
const amongDays = (days: readonly { day: string }[], asked: Asked) =>
  all([
    ...matching(asked),
    sql`(${sql.join(
      days.map(
        ({ day }) =>
          sql`(r.submitted_at >= ${beginOf(day, asked.zone)} and r.submitted_at < ${endOf(day, asked.zone)})`,
      ),
      sql` or `,
    )})`,
  ])

/** The worker's round: packs past days that are not packed in the organisation's time zone, the newest first. */
export async function packDays({ db }: App): Promise<void> {
  const zone = await timeZoneOf(db)
  const due = await rows<{ day: string }>(
    db,
    sql`select to_char(t, 'YYYY-MM-DD') as day
      from generate_series((select ${dayOf(sql`min(submitted_at)`, zone)} from qc_reviews where deleted_at is null)::timestamp,
        ${dayOf(sql`now()`, zone)}::timestamp - interval '1 day', interval '1 day') as t
      where t::date not in (select day from qc_review_days where time_zone = ${zone}) order by t desc limit ${MOST}`,
  )
  for (const { day } of due)
    await db.transaction(async (tx) => {
      const [lock] = await rows<{ free: boolean }>(
        tx,
        sql`select pg_try_advisory_xact_lock(${lockOf(sql`${day}::date`)}) as free`,
      )
      if (!lock?.free) return // a review of that day is being written, so the next round packs it
      const columns = packed(await readReviews(tx, amongDays([{ day }], { zone })))
      await tx.execute(
        sql`insert into qc_review_days (day, time_zone, columns) values (${day}::date, ${zone}, ${columns})
          on conflict (day) do update set time_zone = ${zone}, columns = excluded.columns, version = gen_random_uuid()
            where qc_review_days.time_zone <> ${zone}`,
      )
    })
}

/** Cache of unpacked days by version, in the order of their last use. */
const known = new Map<string, Day>()
/** Maximum number of reviews in the cache: about 60 MB. */
const KEPT = 2_000_000
let kept = 0

function keep(version: string, day: Day): Day {
  if (!known.delete(version)) kept += day.n
  known.set(version, day)
  for (const [oldest, { n }] of known) {
    if (kept <= KEPT) break
    known.delete(oldest)
    kept -= n
  }
  return day
}

/** Maximum number of days that one statement reads, so that a year is not in memory twice. */
const AT_ONCE = 50

interface Place {
  day: string
  /** The Monday of its week. */
  week: string
  version: string | null
}

/**
 * Yields the reviews of a time span by day: from the packed day if it exists and is requested completely, else from
 * tables.
 */
export async function* daysOf(db: Db, asked: Asked): AsyncGenerator<{ week: string; day: Day }> {
  const { begins = sql`'-infinity'::timestamptz`, ends = sql`'infinity'::timestamptz` } = spanOf(asked)
  const { zone, reach } = asked
  const places = await rows<Place>(
    db,
    sql`select to_char(t, 'YYYY-MM-DD') as day, to_char(date_trunc('week', t), 'YYYY-MM-DD') as week, d.version
      from (select min(submitted_at) as first, max(submitted_at) as last from qc_reviews where deleted_at is null) as r
        cross join generate_series(${dayOf(sql`greatest(first, ${begins})`, zone)}::timestamp,
          ${dayOf(sql`least(last, ${ends})`, zone)}::timestamp, interval '1 day') as t
        left join qc_review_days d on ${reach === undefined} and d.day = t::date and d.time_zone = ${zone}
          and ${beginOf(sql`t`, zone)} >= ${begins} and ${endOf(sql`t`, zone)} <= ${ends}
      where first is not null order by t`,
  )
  const readFrom = (from: number) => {
    const some = places.slice(from, from + AT_ONCE)
    const reading = readPacked(db, some)
    reading.catch(() => {}) // thrown below; the caller may have stopped before
    return { some, reading }
  }
  let next = readFrom(0)
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const { some, reading } = next
    const read = await reading
    next = readFrom(from + AT_ONCE) // the database reads while the process adds up
    // unpacked days of the same week are read together
    const runs = Map.groupBy(some, ({ week, version }) => (version && read.has(version) ? version : week))
    for (const [key, run] of runs)
      yield { week: run[0]?.week ?? '', day: read.get(key) ?? (await readReviews(db, amongDays(run, asked))) }
  }
}

async function readPacked(db: Db, places: Place[]): Promise<Map<string, Day>> {
  const versions = places.flatMap(({ version }) => version ?? [])
  const missing = versions.filter((version) => !known.has(version))
  const read = new Map<string, Day>()
  for (const version of versions) {
    const day = known.get(version)
    if (day) read.set(version, keep(version, day))
  }
  if (!missing.length) return read
  const found = await rows<{ version: string; columns: string }>(
    db,
    sql`select version, columns from qc_review_days where version = any(${sql.param(missing)}::uuid[])
      and day between ${places[0]?.day}::date and ${places.at(-1)?.day}::date`,
  )
  for (const { version, columns } of found) read.set(version, keep(version, unpacked(columns)))
  return read
}
