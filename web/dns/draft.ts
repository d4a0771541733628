import type { DnsRecord } from '@innkeeper/contract/dns'
import { plainTxt } from '@innkeeper/contract/dns/txt'

/** A record as its cells have it: all text, as it is typed. */
export interface Cells {
  name: string
  type: string
  ttl: string
  priority: string
  content: string
}
export interface Row {
  /** Of a stored record its id; of one that is being added a number below zero. */
  key: number
  cells: Cells
  /** The stored record; absent: it is being added. */
  was?: DnsRecord
  gone?: true
}
/** What is not saved yet: changed and deleted records by id, and added ones. Rows of other pages are in it too. */
export interface Draft {
  edited: Readonly<Record<number, { was: DnsRecord; cells: Cells }>>
  gone: Readonly<Record<number, DnsRecord>>
  added: readonly { key: number; cells: Cells }[]
}
export const nothing: Draft = { edited: {}, gone: {}, added: [] }

export const cellsOf = ({ name, type, ttl, priority, content }: DnsRecord): Cells => ({
  ...{ name, type, content },
  ttl: String(ttl),
  priority: priority === null ? '' : String(priority),
})
export const emptyCells: Cells = { name: '', type: 'A', ttl: '3600', priority: '', content: '' }

export const size = ({ edited, gone, added }: Draft) => ({
  edited: Object.keys(edited).length,
  deleted: Object.keys(gone).length,
  added: added.length,
})
export const isEmpty = (draft: Draft): boolean => Object.values(size(draft)).every((n) => n === 0)

/** The stored rows of a page as the draft has them, and below them what is being added. */
export const rowsOf = (stored: readonly DnsRecord[], draft: Draft): Row[] => [
  ...stored.map(
    (was): Row => ({
      ...{ key: was.id, was },
      cells: draft.edited[was.id]?.cells ?? cellsOf(was),
      ...(draft.gone[was.id] && { gone: true as const }),
    }),
  ),
  ...draft.added,
]

const same = (a: Cells, b: Cells) => (Object.keys(a) as (keyof Cells)[]).every((key) => a[key] === b[key])
const without = <T>(all: Readonly<Record<number, T>>, key: number): Record<number, T> =>
  Object.fromEntries(Object.entries(all).filter(([id]) => Number(id) !== key))

/** A cell was typed in. A TTL is of all records of one name and type: those on the page follow. */
export function change(draft: Draft, rows: readonly Row[], row: Row, part: Partial<Cells>): Draft {
  const cells = { ...row.cells, ...part }
  let next = put(draft, row, cells)
  if (part.ttl === undefined) return next
  for (const other of rows)
    if (other.key !== row.key && !other.gone && other.cells.name === cells.name && other.cells.type === cells.type)
      next = put(next, other, { ...other.cells, ttl: part.ttl })
  return next
}

function put(draft: Draft, { key, was }: Row, cells: Cells): Draft {
  if (!was) return { ...draft, added: draft.added.map((one) => (one.key === key ? { key, cells } : one)) }
  const edited = same(cells, cellsOf(was)) ? without(draft.edited, key) : { ...draft.edited, [key]: { was, cells } }
  return { ...draft, edited }
}

let lastKey = 0
export function add(draft: Draft, cells: Partial<Cells> = {}): Draft {
  lastKey -= 1
  return { ...draft, added: [...draft.added, { key: lastKey, cells: { ...emptyCells, ...cells } }] }
}

export const remove = (draft: Draft, { key, was }: Row): Draft =>
  was
    ? { ...draft, edited: without(draft.edited, key), gone: { ...draft.gone, [key]: was } }
    : { ...draft, added: draft.added.filter((one) => one.key !== key) }

/** Takes back what was done to one row. */
export const undo = (draft: Draft, { key, was }: Row): Draft =>
  was
    ? { ...draft, edited: without(draft.edited, key), gone: without(draft.gone, key) }
    : { ...draft, added: draft.added.filter((one) => one.key !== key) }

/** What the call is sent, and which row each created one is of: its refusals come by number. */
export function deltaOf(draft: Draft) {
  const changed = Object.values(draft.edited)
  const made = [...changed.map(({ was, cells }) => ({ key: was.id, cells })), ...draft.added]
  return {
    keys: made.map(({ key }) => key),
    create: made.map(({ cells }) => ({
      ...{ name: cells.name, type: cells.type, content: cells.content },
      ttl: Number(cells.ttl.trim() === '' ? Number.NaN : cells.ttl),
      priority: cells.priority.trim() === '' ? null : Number(cells.priority),
    })),
    delete: [...changed.map(({ was }) => was.id), ...Object.keys(draft.gone).map(Number)],
  }
}

export type RowErrors = Readonly<Record<number, { [K in keyof Cells]?: string }>>
/** `create.2.ttl` lands beside the TTL of the third created row. */
export function errorsOf(keys: readonly number[], fields: Readonly<Record<string, string>>): RowErrors {
  const errors: Record<number, Record<string, string>> = {}
  for (const [path, text] of Object.entries(fields)) {
    const [, n = '', field = 'name'] = /^create\.(\d+)\.?(\w*)$/.exec(path) ?? []
    const key = n === '' ? undefined : keys[Number(n)]
    if (key !== undefined) errors[key] = { ...errors[key], [field || 'name']: text }
  }
  return errors
}

/** One line of a diff. */
export const lineOf = ({ name, type, ttl, priority, content }: Cells): string =>
  `${name.padEnd(14)} ${ttl.padStart(6)}  ${type.padEnd(6)}${priority ? `${priority} ` : ''}${content}`

/** What a TXT says, as people read it; anything else as it is. */
export const readable = ({ type, content }: Pick<DnsRecord, 'type' | 'content'>): string =>
  type === 'TXT' ? plainTxt(content) : content
