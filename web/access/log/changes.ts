import { moment } from '../../kit/look/format.ts'

/** One field of an object, before and after. `items` of two lists: the removed and added ones. */
export interface Change {
  field: string
  kind: 'added' | 'removed' | 'changed'
  before: string
  after: string
  items?: { gone: string[]; come: string[] }
}

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** The fields of a log row that changed; a field on one side only was added or removed. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((field) => ({
    field,
    kind: field in was ? (field in is ? 'changed' : 'removed') : 'added',
    before: field in was ? textOf(was[field]) : '',
    after: field in is ? textOf(is[field]) : '',
    items: itemsOf(was[field], is[field]),
  }))
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** A value for display: a dash for an empty one, words for yes and no, times as everywhere. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && INSTANT.test(value)) return moment(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ') || '–'
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
}

/** For two lists of words, such as the scopes of a role: only the removed and the added ones. */
function itemsOf(was: unknown, is: unknown): Change['items'] {
  if (!Array.isArray(was) || !Array.isArray(is)) return undefined
  const [old, now] = [was.map(textOf), is.map(textOf)]
  return { gone: old.filter((item) => !now.includes(item)), come: now.filter((item) => !old.includes(item)) }
}
