import { sql } from 'drizzle-orm'
import { customType, integer } from 'drizzle-orm/pg-core'

/** `timestamptz(3)` that reads as ISO 8601 in UTC, from both drivers. */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (value) => isoOf(value),
})

/** An instant as PostgreSQL words it on connections in UTC: `2026-11-21 09:00:00.5+00`. A Date of each costs six times as much. */
const inUtc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/
/** What a driver gives for an instant where the query is SQL of our own → ISO 8601 in UTC. */
export function isoOf(value: string | Date): string {
  if (typeof value !== 'string' || !inUtc.test(value)) return new Date(value).toISOString()
  const time = value.slice(11, -3)
  return `${value.slice(0, 10)}T${time.length === 8 ? `${time}.000` : time.padEnd(12, '0')}Z`
}

/** Identity key named after its table: `website_id`. */
export const identity = (column: string) => integer(column).primaryKey().generatedAlwaysAsIdentity()

/** What every stored thing carries; `version` rises with each write and refuses stale ones. */
export const stored = () => ({
  version: integer().notNull().default(1),
  createdAt: instant().notNull().default(sql`now()`),
  createdBy: integer(),
  updatedAt: instant().notNull().default(sql`now()`),
})

/** Gone for people, kept for the log; unique names look at rows where it is null. */
export const deletable = () => ({ deletedAt: instant() })
