import { type SQL, sql } from 'drizzle-orm'

/** By name of a `changed` event: a query of `id` and `departments`, an array, for the objects whose ids are in the array `ids`. */
export type DepartmentsOf = Record<string, (ids: SQL) => SQL>

/** For people and their profiles: ids of users. */
export const departmentOfUser = (ids: SQL): SQL =>
  sql`select user_id as id, array_remove(array[department_id], null) as departments from users where user_id = any(${ids})`
