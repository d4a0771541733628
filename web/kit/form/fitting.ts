/** The rows whose text contains each word of what was typed, without case. */
export function fitting<R>(rows: readonly R[], typed: string, textOf: (row: R) => string): R[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
