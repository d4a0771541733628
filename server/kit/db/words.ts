import { type SQL, sql } from 'drizzle-orm'

/** Characters without a space that PostgreSQL's parser gets at once. */
const RUN = 100

/**
 * The parser of PostgreSQL reads a run of characters without a space, and an open comment of HTML, again from each of
 * their characters: 24,000 characters of `_a_a` take 12 s. Longer runs are broken, and comments are not opened.
 */
const broken = (text: SQL) =>
  sql`regexp_replace(replace(${text}, '<!--', ' '), ${sql.raw(`'(\\S{${RUN}})'`)}, '\\1 ', 'g')`

/** The words in the first characters of a text, as a set of rows. */
export const wordsIn = (text: SQL, most: number): SQL =>
  sql`unnest(tsvector_to_array(to_tsvector('simple', ${broken(sql`left(${text}, ${sql.raw(String(most))})`)})))`

/** Condition on a column of words: has all words of a text, whether its own long runs were broken or not. */
export const haveWords = (column: SQL, text: string): SQL =>
  text.length < RUN
    ? sql`${column} @@ plainto_tsquery('simple', ${text})`
    : sql`${column} @@ (plainto_tsquery('simple', ${text}) || plainto_tsquery('simple', ${broken(sql`${text}::text`)}))`
