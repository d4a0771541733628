import { sql } from 'drizzle-orm'

/** The name of a person as people read it, for SQL; `users` is the table or its alias. An index of the list of people has this text. */
export const personName = (users?: string) => sql.raw(personNameText(users))
/** The same as text, for `sql.raw`. */
export const personNameText = (users?: string) => {
  const of = users ? `${users}.` : ''
  return `${of}first_name || ' ' || ${of}last_name`
}

/** A person as JSON, for a select list; null where the id is null. */
export const personOf = (id: string) =>
  sql.raw(
    `(select json_build_object('id', u.user_id, 'name', ${personNameText('u')}) from users u where u.user_id = ${id})`,
  )
/** The people of an array of ids as JSON, in its order. */
export const peopleOf = (ids: string) =>
  sql.raw(`(select coalesce(json_agg(json_build_object('id', u.user_id, 'name', ${personNameText('u')}) order by array_position(${ids}, u.user_id)), '[]'::json)
    from users u where u.user_id = any(${ids}))`)
