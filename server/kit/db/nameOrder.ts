import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/**
 * The order of names as people count: host-4 before host-39. `name_order` of the database fills numbers up to 20 digits. Lists
 * with many rows have an index over it, with the id and the name: decision 219.
 */
export const nameOrder = (name: AnyColumn | SQL): SQL<string> => sql<string>`name_order(${name})`
