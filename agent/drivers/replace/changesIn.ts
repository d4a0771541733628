import { isUtf8 } from 'node:buffer'
import { type Asked, type Change, type Column, MOST_WITHOUT_KEY, type Table, type Tally, type Why } from './found.ts'
import { fromBytes, replacer } from './inBytes.ts'
import type { Replaced } from './serialized.ts'

/** Reads lines of `rows` and passes on each value that changes. */
export function changesIn(table: Table, asked: Asked, counts: Tally, changes: (one: Change) => void) {
  const make = replacer(asked)
  const all = [...table.keys, ...table.columns]
  let without = 0
  const done = new Set<string>()
  return (line: string) => {
    const fields = line.split('\t')
    if (fields.length !== all.length) throw new Error(`${table.name} cannot be read`)
    const key = fields.slice(0, table.keys.length).map(unhex)
    for (const [i, column] of table.columns.entries()) {
      const field = fields[table.keys.length + i]!
      if (field === '-') continue
      if (field === '+') counts.stays(table, column, 'too large')
      else if (table.keys.length || !done.has(`${column.name}${field}`)) {
        const before = unhex(field)
        const made = make(before)
        const why = made.count || made.left ? whyNot(column, before, made) : undefined
        if (why) counts.stays(table, column, why)
        else if (made.count && !table.keys.length && ++without > MOST_WITHOUT_KEY) counts.stays(table, column, 'no key')
        else if (made.count) {
          done.add(table.keys.length ? '' : `${column.name}${field}`)
          const change = { table, column, key, before, after: made.text }
          counts.changes(change, made.count)
          changes(change)
          if (made.left) counts.stays(table, column, 'unreadable')
        }
      }
    }
  }
}
function whyNot(column: Column, before: string, made: Replaced): Why | undefined {
  if (column.stays) return column.stays
  if (column.binary && !isUtf8(Buffer.from(before, 'latin1'))) return 'binary'
  if (!made.count) return 'unreadable'
  const { characters, bytes } = column
  if (bytes && made.text.length > bytes) return 'too long'
  if (characters && made.text.length > characters && [...fromBytes(made.text)].length > characters) return 'too long'
  return undefined
}
const unhex = (hex: string) => Buffer.from(hex, 'hex').toString('latin1')
export const hexOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString('hex')
