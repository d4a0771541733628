/** Letters for each name, as few as tell the names apart and at least two: Paid leave, Paternity leave → Pai, Pat. */
export function shortsOf(names: readonly string[]): Map<string, string> {
  const all = [...new Set(names)].map((name) => ({ name, letters: name.replaceAll(' ', '') }))
  return new Map(
    all.map(({ name, letters }) => {
      const others = all.filter((one) => one.name !== name)
      const isTaken = (short: string) => others.some((other) => other.letters.startsWith(short))
      let length = 2
      while (length < letters.length && isTaken(letters.slice(0, length))) length += 1
      return [name, letters.slice(0, length)]
    }),
  )
}
