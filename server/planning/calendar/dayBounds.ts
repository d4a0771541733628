import { type SQL, sql } from 'drizzle-orm'

/** The instant at which a day begins in a time zone. */
export const beginOf = (day: SQL | string, zone: string): SQL =>
  sql`(${day}::date::timestamp at time zone ${zone}::text)`

/** The instant at which a day ends in a time zone: the begin of the next day. */
export const endOf = (day: SQL | string, zone: string): SQL =>
  sql`((${day}::date + 1)::timestamp at time zone ${zone}::text)`

/** The day of an instant in a time zone. */
export const dayOf = (instant: SQL, zone: SQL | string): SQL => sql`(${instant} at time zone ${zone}::text)::date`
