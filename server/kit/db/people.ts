import { sql } from 'drizzle-orm'

/** A person as JSON, for a select list; null where the id is null. */
export const personOf = (id: string) =>
  sql.raw(
    `(select json_build_object('id', u.user_id, 'name', u.first_name || ' ' || u.last_name) from users u where u.user_id = ${id})`,
  )
/** The people of an array of ids as JSON, in its order. */
export const peopleOf = (ids: string) =>
  sql.raw(`(select coalesce(json_agg(json_build_object('id', u.user_id, 'name', u.first_name || ' ' || u.last_name) order by array_position(${ids}, u.user_id)), '[]'::json)
    from users u where u.user_id = any(${ids}))`)
