/** Units of storage, 1,024 of each to the next. */
export const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
export type Unit = (typeof units)[number]

export const bytesOf = (unit: Unit): number => 1024 ** units.indexOf(unit)

/** The largest unit that writes the size with at most two decimals. */
export function unitFor(bytes: number): Unit {
  const fits = (unit: Unit) => bytes >= bytesOf(unit) && Number.isInteger((bytes / bytesOf(unit)) * 100)
  return units.findLast(fits) ?? 'B'
}

/** "1.5" of 1,610,612,736 in GiB. */
export const amountIn = (bytes: number, unit: Unit): string => String(Number((bytes / bytesOf(unit)).toFixed(4)))

/** "1.5 GiB" */
export const writeBytes = (bytes: number): string => `${amountIn(bytes, unitFor(bytes))} ${unitFor(bytes)}`

const AMOUNT = /^(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*([kmgt]?)(i?b?)$/i

/** Bytes of "10", "1,024", "1.5 GiB", "512m": in `unit` where the text names none. */
export function readBytes(text: string, unit: Unit): number | undefined {
  const [, whole = '', decimals = '', letter = '', rest = ''] = AMOUNT.exec(text.trim()) ?? []
  if (!whole || /^i$/i.test(rest) || (!letter && /^i/i.test(rest))) return undefined
  const named = unitIn(text) ?? unit
  const bytes = Math.round(Number(whole.replaceAll(',', '') + decimals) * bytesOf(named))
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** The unit that a text names. */
export function unitIn(text: string): Unit | undefined {
  const [, , , letter = '', rest = ''] = AMOUNT.exec(text.trim()) ?? []
  if (!letter && !rest) return undefined
  return units.find((unit) => unit.charAt(0).toLowerCase() === (letter || 'b').toLowerCase())
}
