import type { TablesThen } from './tables.ts'

type Table = TablesThen['tables'][number]

/** Tables whose row count or checksum differs, by name. */
export function compared(then: readonly Table[], now: readonly Table[]) {
  const was = new Map(then.map((one) => [one.name, one]))
  const is = new Map(now.map((one) => [one.name, one]))
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((name) => {
    const [before, after] = [was.get(name), is.get(name)]
    const rows = { name, rowsThen: before?.rows ?? null, rows: after?.rows ?? null }
    if (!before) return { ...rows, what: 'added' as const }
    if (!after) return { ...rows, what: 'gone' as const }
    const same = before.rows === after.rows && before.sum === after.sum
    return same ? [] : { ...rows, what: 'changed' as const }
  })
}
