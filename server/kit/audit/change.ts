import { isDeepStrictEqual } from 'node:util'

type Fields = Record<string, unknown>

export interface Change {
  before: unknown
  after: unknown
}

/** Columns that change with every write and carry no information. */
const noise = new Set(['version', 'updatedAt'])
const secret = /^key$|password|passphrase|secret|token|credential|private|hash|jwt|sealed|totp|recovery|backupCodes?/i
/** Times at which a secret was revoked or sent are not secret. */
const moment = /At$/
/** Stands for a value that the log does not keep. */
export const HIDDEN = '(hidden)'
/** Characters per text: enough for a certificate, not for a file. */
const LONGEST = 4000

/**
 * The difference that the log stores: for a changed row only the fields that differ, for a created or deleted row all
 * fields. Secrets are compared first and then replaced, so that the log shows a password change without the password.
 */
export function changeOf(before: unknown, after: unknown): Change {
  if (!isFields(before) || !isFields(after)) return { before: shown(before), after: shown(after) }
  // deletion only sets deletedAt: log the whole row as deleted
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

/** Copies a value without secrets and with long texts cut. */
function shown(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  if (Array.isArray(value)) return value.map(shown)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, isSecret(name, held) ? HIDDEN : shown(held)]),
  )
}

/** Booleans and empty values contain no secret. */
const isSecret = (name: string, held: unknown): boolean =>
  secret.test(name) && !moment.test(name) && held !== null && held !== undefined && typeof held !== 'boolean'

const domainFirst = ['domain', 'name', 'username']
/** The domain of a row that belongs to a website is that of the website. */
const ownFirst = ['name', 'username', 'domain']

/** Display name of a row. Stored with the log entry, because the row may be renamed or deleted later. */
export function nameOf(row: unknown, wanted?: readonly string[]): string | null {
  if (!isFields(row)) return null
  const keys = wanted ?? ['subjectName', ...('websiteId' in row ? ownFirst : domainFirst), 'title']
  if (typeof row.firstName === 'string') return `${row.firstName} ${row.lastName ?? ''}`.trim()
  const name = keys.map((key) => row[key]).find((held) => typeof held === 'string')
  return typeof name === 'string' ? name.slice(0, 253) : null
}
