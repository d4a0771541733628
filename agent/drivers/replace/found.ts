import type { Writable } from 'node:stream'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { chunkOf, fromBytes, type Wanted } from './inBytes.ts'

export interface Column {
  name: string
  type: string
  binary: boolean
  /** Maximum number of characters and bytes of a value. */
  characters?: number | null
  bytes?: number | null
  /** Why the column is not changed. */
  stays?: 'key' | 'reference' | 'generated'
}
export interface Table {
  /** Its name in dumps, filters and on screens. */
  name: string
  /** Its qualified and quoted name for SQL. */
  sql: string
  /** Columns that identify a row; if empty, the former value does. */
  keys: Column[]
  columns: Column[]
  /** Columns that the engine sets at each change, such as ON UPDATE CURRENT_TIMESTAMP. */
  stamps: string[]
}
/** A changed value. Texts and keys have one character per byte. */
export interface Change {
  table: Table
  column: Column
  key: string[]
  before: string
  after: string
}
/** A database while it is open: its tables, its rows, and changes of rows in one transaction. */
export interface Opened {
  tables: Table[]
  /** Writes one line per row with `needle`: keys and columns in hex between tabs; `-`: column without it, `+`: too large. */
  rows(table: Table, needle: Needle, to: Writable, withinMs?: number): Promise<void>
  /** Applies changes in one transaction, where the row still has the former value. Answers how many it applied. */
  write(changes: AsyncIterable<Change>): Promise<number>
}
export interface Needle {
  /** ASCII; empty: every row. */
  text: string
  anyCase: boolean
}
export type Why = 'key' | 'reference' | 'generated' | 'unreadable' | 'binary' | 'too long' | 'too large' | 'no key'
export type Asked = Pick<OperationInput<'database.search'>, 'name' | 'from' | 'to' | 'tables'> & Pick<Wanted, 'how'>

export const MOST_BYTES = 4_000_000
export const MOST_WITHOUT_KEY = 200
const MOST_SAMPLES = 3
const MOST_COLUMNS = 300
const AROUND = 60
const SHOWN = 200

interface Seen {
  table: string
  column: string
  values: number
  count: number
  samples: { before: string; after: string }[]
}

/** Counts what changes and what stays, by column. */
export function tally() {
  const seen = new Map<string, Seen>()
  const left = new Map<string, { table: string; column: string; why: Why; values: number }>()
  return {
    changes({ table, column, before, after }: Omit<Change, 'key'>, count: number) {
      const key = `${table.name}\0${column.name}`
      const one = seen.get(key) ?? { table: table.name, column: column.name, values: 0, count: 0, samples: [] }
      seen.set(key, one)
      one.values++
      one.count += count
      if (one.samples.length < MOST_SAMPLES) one.samples.push(sample(before, after))
    },
    stays(table: Table, column: Column, why: Why) {
      const key = `${table.name}\0${column.name}\0${why}`
      const one = left.get(key) ?? { table: table.name, column: column.name, why, values: 0 }
      left.set(key, { ...one, values: one.values + 1 })
    },
    answer: () => ({
      values: [...seen.values()].reduce((sum, one) => sum + one.values, 0),
      count: [...seen.values()].reduce((sum, one) => sum + one.count, 0),
      columns: [...seen.values()].slice(0, MOST_COLUMNS),
      left: [...left.values()].slice(0, MOST_COLUMNS),
    }),
  }
}
export type Tally = ReturnType<typeof tally>

function sample(before: string, after: string) {
  let at = 0
  while (before[at] === after[at] && at < before.length) at++
  const begin = Math.max(0, at - AROUND)
  const cut = (bytes: string) => {
    const text = fromBytes(bytes.slice(begin, begin + SHOWN)).replaceAll(/[\p{Cc}\ufffd]+/gu, ' ')
    return `${begin ? '…' : ''}${text}${bytes.length > begin + SHOWN ? '…' : ''}`
  }
  return { before: cut(before), after: cut(after) }
}

/**
 * The tables to search: all, or the wanted ones. Throws if a wanted one does not exist; a revert of a merge may have
 * dropped one.
 */
export function chosen(tables: Table[], { name, tables: wanted, how }: Asked): Table[] {
  const missing = how === 'names' ? [] : (wanted?.filter((one) => !tables.some((table) => table.name === one)) ?? [])
  if (missing.length) throw new Error(`${name} has no table ${missing.join(', ')}`)
  return wanted ? tables.filter((table) => wanted.includes(table.name)) : tables
}

export const needleOf = ({ from, how }: Asked): Needle => ({
  text: how === 'text' ? chunkOf(from) : from.toLowerCase(),
  anyCase: how !== 'text',
})
