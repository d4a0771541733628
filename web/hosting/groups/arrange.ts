/** The list with one member a place further up (-1) or down (1); at an end it stays. */
export function moved<T>(list: readonly T[], from: number, by: -1 | 1): T[] {
  const to = from + by
  const next = [...list]
  const [member] = next.splice(from, 1)
  if (member === undefined || to < 0 || to >= list.length) return [...list]
  next.splice(to, 0, member)
  return next
}
