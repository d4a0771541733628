import type { DnsRecord } from '@innkeeper/contract/net/dns/calls'

/** Text of a record's cells, as typed. */
export interface Cells {
  name: string
  type: string
  ttl: string
  priority: string
  content: string
}
export interface Row {
  /** Id of a stored record; a negative number for an added one. */
  key: number
  cells: Cells
  /** The stored record; absent for an added one. */
  was?: DnsRecord
  gone?: true
}
/** Unsaved changes: changed and deleted records by id, and added records. Includes rows of other pages. */
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
const emptyCells: Cells = { name: '', type: 'A', ttl: '3600', priority: '', content: '' }

export const size = ({ edited, gone, added }: Draft) => ({
  edited: Object.keys(edited).length,
  deleted: Object.keys(gone).length,
  added: added.length,
})
export const isEmpty = (draft: Draft): boolean => Object.values(size(draft)).every((n) => n === 0)

/** Stored rows of a page with the draft applied, followed by added rows. */
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

/** Changes cells of a row. The TTL applies to all records of a name and type, so these rows of the page change too. */
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

/**
 * The draft on top of a version without these records: an edited record becomes a new one with the typed values, and a
 * deletion needs nothing more.
 */
export function rebased(draft: Draft, missing: readonly number[]): Draft {
  const lost = missing.flatMap((id) => draft.edited[id] ?? [])
  let next: Draft = {
    edited: Object.fromEntries(Object.entries(draft.edited).filter(([id]) => !missing.includes(Number(id)))),
    gone: Object.fromEntries(Object.entries(draft.gone).filter(([id]) => !missing.includes(Number(id)))),
    added: draft.added,
  }
  for (const { cells } of lost) next = add(next, cells)
  return next
}

/** Reverts the changes of one row. */
export const undo = (draft: Draft, { key, was }: Row): Draft =>
  was
    ? { ...draft, edited: without(draft.edited, key), gone: without(draft.gone, key) }
    : { ...draft, added: draft.added.filter((one) => one.key !== key) }

/** Input of the call, and the row keys of created records, which errors name by index. */
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
/** Maps errors to rows: `create.2.ttl` belongs to the TTL of the third created row. */
export function errorsOf(keys: readonly number[], fields: Readonly<Record<string, string>>): RowErrors {
  const errors: Record<number, Record<string, string>> = {}
  for (const [path, text] of Object.entries(fields)) {
    const [, n = '', field = 'name'] = /^create\.(\d+)(?:\.(\w+))?$/.exec(path) ?? []
    const key = n === '' ? undefined : keys[Number(n)]
    if (key !== undefined) errors[key] = { ...errors[key], [field || 'name']: text }
  }
  return errors
}

/** One line of the diff. */
export const lineOf = ({ name, type, ttl, priority, content }: Cells): string =>
  `${name.padEnd(14)} ${ttl.padStart(6)}  ${type.padEnd(6)}${priority ? `${priority} ` : ''}${content}`
