import { isDeepStrictEqual } from 'node:util'

type Fields = Record<string, unknown>

export interface Change {
  before: unknown
  after: unknown
}

/** Rises with every write and says nothing about it. */
const noise = new Set(['version', 'updatedAt'])
const secret = /^key$|password|passphrase|secret|token|credential|private|hash|jwt|sealed|totp|recovery|backupCodes?/i
/** When something was revoked or sent is no secret. */
const moment = /At$/
const HIDDEN = '(hidden)'
/** Characters of one text: a certificate is kept, a file is not. */
const LONGEST = 4000

/**
 * What the log keeps of a row before and after: of a changed one only the fields that differ, of one that came or went
 * all of it. Secrets are compared and then hidden, so that a new password is seen to be new and stands nowhere.
 */
export function changeOf(before: unknown, after: unknown): Change {
  if (!isFields(before) || !isFields(after)) return { before: shown(before), after: shown(after) }
  // deleting marks the row; what went is what a reader asks for
  if (after.deletedAt && !before.deletedAt) return { before: shown(before), after: null }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const differing = names.filter((name) => !noise.has(name) && !isDeepStrictEqual(before[name], after[name]))
  if (!differing.length) return { before: null, after: null }
  return { before: shown(pick(before, differing)), after: shown(pick(after, differing)) }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const pick = (row: Fields, names: string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name]]] : [])))

/** The same without secrets, and with long texts cut. */
function shown(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  if (Array.isArray(value)) return value.map(shown)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, isSecret(name, held) ? HIDDEN : shown(held)]),
  )
}

/** Yes and no keep none, and neither does what is not set. */
const isSecret = (name: string, held: unknown): boolean =>
  secret.test(name) && !moment.test(name) && held !== null && held !== undefined && typeof held !== 'boolean'

/** What people call a row, frozen with the entry: it may be gone or renamed when somebody reads it. */
export function nameOf(row: unknown): string | null {
  if (!isFields(row)) return null
  if (typeof row.firstName === 'string') return `${row.firstName} ${row.lastName ?? ''}`.trim()
  const name = ['subjectName', 'domain', 'name', 'username', 'title']
    .map((key) => row[key])
    .find((held) => typeof held === 'string')
  return typeof name === 'string' ? name.slice(0, 253) : null
}
