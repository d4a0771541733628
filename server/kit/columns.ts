import { sql } from 'drizzle-orm'
import { customType, integer } from 'drizzle-orm/pg-core'

/** `timestamptz(3)` that reads as ISO 8601 in UTC, from both drivers. */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})

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
