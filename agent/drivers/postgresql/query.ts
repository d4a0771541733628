import { randomBytes } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, run } from '../../kit/host.ts'
import { withGuest } from './guest.ts'
import { split } from './script.ts'

const MOST_TEXT = 2000 // characters of a value
const MOST_BYTES = 1_000_000 // of an answer
const CURSOR = 'declare ik_console no scroll cursor for '

interface Read {
  columns: string[]
  rows: (string | null)[][]
  more: boolean
  milliseconds: number
}
interface Asked {
  name: string
  sql: string
  rows: number
  seconds: number
}

/** Runs one statement as a guest that can only read, in a read-only transaction. */
export const queryDatabase: Driver<'database.query'> = {
  run: (c) => readOnly(c.input),
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}

export const readOnly = ({ name, sql, rows: most, seconds }: Asked): Promise<Read> =>
  exclusive('pg-database console', async () => {
    const [statement, ...others] = split(sql)
    if (!statement) throw new Error('The statement is empty')
    if (others.length) throw new Error('PostgreSQL runs one statement at a time here')
    const one = statement.replace(/;\s*$/, '')
    const limited = /^(?:select|with|values|table|\()/i.test(one)
    const nothing = randomBytes(12).toString('hex')
    return withGuest(name, { may: 'read', seconds }, async ({ psql, as }) => {
      const begun = performance.now()
      // psql reads no command of its own from the text of --command unless it begins with a backslash
      const words = limited
        ? [`--command=${CURSOR}${one}\n`, `--command=fetch ${most + 1} from ik_console`]
        : [`--command= ${one}\n`]
      const argv = [...psql, '--csv', `--pset=null=${nothing}`, '--command=begin transaction read only', ...words]
      const ran = await run(argv as [string, ...string[]], { withinMs: (seconds + 3) * 1000, as })
      if (ran.code !== 0) throw new Error(errorIn(ran.stderr))
      return { ...readCsv(ran.stdout, most, nothing), milliseconds: Math.round(performance.now() - begun) }
    })
  })

export function errorIn(said: string): string {
  const at = said.search(/^(?:psql:.*?)?(?:ERROR|FATAL): /m)
  const error = said.slice(Math.max(at, 0)).trim().slice(0, 2000)
  if (error.includes('statement timeout')) return `the statement was stopped at its time limit: ${error}`
  // without the words that the person did not type, the mark below them points elsewhere
  return error.includes(CURSOR) ? error.replace(CURSOR, '').replace(/\n *\^/, '') : error
}

/** Rows of CSV, in which `nothing` stands for NULL. */
export function readCsv(text: string, most: number, nothing: string): Omit<Read, 'milliseconds'> {
  const all: (string | null)[][] = []
  let [row, at, bytes] = [[] as (string | null)[], 0, 0]
  let more = false
  while (at < text.length) {
    let value = ''
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] === '"' && text[++at] !== '"') break
        value += text[at]
      }
    } else {
      const [, word = ''] = /^([^,\n]*)/.exec(text.slice(at, at + 100_000)) ?? []
      value = word
      at += word.length
    }
    bytes += value.length
    row.push(value === nothing ? null : value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)}…` : value)
    if (text[at] === ',' && text[at + 1] === '\n') row.push('')
    const over = text[at] !== ','
    at++
    if (!over) continue
    if (all.length > most || bytes > MOST_BYTES) {
      more = true
      break
    }
    all.push(row)
    row = []
  }
  const [columns = [], ...rows] = all
  return { columns: columns.map((one) => one ?? ''), rows: rows.slice(0, most), more: more || rows.length > most }
}

export type Browse = OperationInput<'database.browse'>
export interface Column {
  name: string
  type: string
  nullable: boolean
}
