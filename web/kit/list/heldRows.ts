/** Rows of a list that people have seen, by the address of the list that showed them. */
export interface Seen {
  list: string
  ids: ReadonlySet<number>
}
interface Row {
  id: number
}

/**
 * Splits the rows of a list whose newest come first: `withheld` counts the rows above those that people have seen, and
 * `rows` lacks them, so that nothing moves under the pointer. A list that was just opened, or whose seen rows are all
 * gone, withholds nothing.
 */
export function hold<R extends Row>(rows: readonly R[], list: string, seen: Seen | undefined) {
  const first = seen?.list === list ? rows.findIndex(({ id }) => seen.ids.has(id)) : 0
  const withheld = Math.max(0, first)
  const shown = withheld ? rows.slice(withheld) : rows
  return { rows: shown, withheld, seen: { list, ids: new Set(shown.map(({ id }) => id)) } }
}
