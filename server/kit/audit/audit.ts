import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import type { Db } from '../db/db.ts'
import { runText } from '../db/driver/prepared.ts'
import { changeOf, nameOf } from './change.ts'
import type { StoredRow } from './storedRow.ts'
import { isWorded, withoutPersonal, withoutWords } from './words.ts'

/**
 * The action log row of one call. The stored row before and after the call is read automatically; a handler sets them
 * if it knows more or if the call is about another resource than its scope names.
 */
export interface Audit {
  before(row: unknown): void
  after(row: unknown): void
  /** Sets the resource, for example `website`, 12, if the input's `id` is not the id of the resource. */
  of(resource: string, id: number | string): void
  /** Sets the action, for a call whose permission names another one. */
  action(name: string): void
  workflow(id: number): void
  /** Sets the caller, for calls that determine the caller themselves (sign-in). */
  by(staff: { id: number; name: string } | { name: string }): void
}

export interface Entry {
  staffId: number | null
  staffName: string
  service: string
  action: string
  resource: string | null
  resourceId: string | null
  /** Display name of the resource. */
  subject?: string | null
  before?: unknown
  after?: unknown
  workflowId: number | null
  /** The website that the resource is or belongs to, if the call names it. */
  websiteId?: number | null
  ip: string | null
  requestId: string | null
}

/** Names of calls that say no more than the action of their permission. */
const generic: readonly string[] = ['create', 'update', 'remove', 'add', 'set']
/** First words of calls that do what the action of their permission names. */
const same: Readonly<Record<string, readonly string[]>> = {
  create: ['create', 'import'],
  delete: ['remove', 'delete'],
  review: ['review', 'submit'],
  end: ['end'],
}

/**
 * The act of a call. Many calls share a permission: `users:user:update` also suspends people. A call whose name says
 * more than the action of its permission is logged by its name, so that different acts have different words.
 */
function actOf(name: string, action: string): string {
  const first = /^[a-z]+/.exec(name)?.[0] ?? name
  const says = generic.includes(name) || first === action || same[action]?.includes(first)
  return says || wordsOf(name) === wordsOf(action) ? action : name
}
/** `restoreReview` and `review-restore` have the same words. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/[A-Z]/g, '-$&')
    .toLowerCase()
    .split('-')
    .map((word) => (word === 'remove' ? 'delete' : word))
    .sort()
    .join()

/**
 * Service, resource and action of a call's log row: `website:website:create` gives website, website, create. A call
 * without such a scope is logged by its domain and name.
 */
export function entryOf(
  domain: string,
  name: string,
  { access, effect }: Endpoint,
): Pick<Entry, 'service' | 'action' | 'resource'> {
  const scope = typeof access === 'string' ? access : access[0]
  const [service, resource, action] = scope?.split(':') ?? []
  if (!service || !resource || !action) return { service: domain, resource: null, action: name }
  return { service, resource, action: effect === 'read' ? action : actOf(name, action) }
}

export function auditOf(entry: Entry): Audit {
  return {
    before: (row) => {
      entry.before = row
    },
    after: (row) => {
      entry.after = row
    },
    of: (resource, id) => {
      entry.resource = resource
      entry.resourceId = String(id)
    },
    action: (name) => {
      entry.action = name
    },
    workflow: (id) => {
      entry.workflowId = id
    },
    by: (staff) => {
      entry.staffId = 'id' in staff ? staff.id : null
      entry.staffName = staff.name
    },
  }
}

/**
 * Runs a call and writes its log row in one transaction, so that no success lacks a row. Values that the handler set
 * for before and after take precedence over the stored row.
 */
export async function logged<T>(tx: Db, storedRow: StoredRow, entry: Entry, work: () => Promise<T>): Promise<T> {
  const about = keyOf(entry)
  /** Not the title of a row that may quote somebody: its number. The handler may have named another resource. */
  const nameIn = (row: unknown) => nameOf(row, isWorded(entry) ? ['subjectName', 'externalId'] : undefined)
  const isNew = entry.resourceId === null
  const before = await storedRow(tx, entry)
  entry.subject = nameIn(before)
  entry.websiteId ??= websiteIn(before)
  const done = await work()
  entry.resourceId ??= idOf(done)
  // the stored row is not needed if the handler's values contain the name of the resource
  const after = nameOf(entry.before) || nameOf(entry.after) ? undefined : await storedRow(tx, entry)
  const isSame = keyOf(entry) === about
  // not if the handler named another resource, because its previous row was not read
  if (entry.before === undefined && entry.after === undefined && (isSame || isNew))
    Object.assign(entry, { before, after })
  entry.websiteId ??= websiteIn(entry.before) ?? websiteIn(entry.after) ?? websiteIn(after)
  entry.subject = nameIn(entry.before) ?? nameIn(entry.after) ?? nameIn(after) ?? (isSame ? nameIn(before) : null)
  await writeLog(tx, entry, 'success')
  return done
}

const keyOf = ({ resource, resourceId }: Entry): string => `${resource} ${resourceId}`

/** Columns that name the website of a row. */
const ofWebsite = ['websiteId', 'sourceWebsiteId', 'liveId']
/** The website that a row, or the input of a call, names first; null if none does. */
function websiteIn(row: unknown): number | null {
  const fields = new Map<string, unknown>(Object.entries(row ?? {}))
  const id = ofWebsite.map((name) => fields.get(name)).find((value) => typeof value === 'number')
  return id ?? null
}
/** The website of a call by its path, `/websites/:id/monitor`, or by its input. */
export const websiteOf = (path: string, input: Readonly<Record<string, unknown>>): number | null =>
  /\/websites\/:id(\/|$)/.test(path) && typeof input.id === 'number' ? input.id : websiteIn(input)

function idOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null
  if ('id' in answer) return String(answer.id)
  return 'data' in answer ? idOf(answer.data) : null
}

/** Logs a denied call with the name of its resource. */
export async function writeDenied(db: Db, storedRow: StoredRow, entry: Entry): Promise<void> {
  const row = await storedRow(db, entry)
  const named = { subject: entry.subject ?? nameOf(row), websiteId: entry.websiteId ?? websiteIn(row) }
  await writeLog(db, { ...entry, ...named }, 'denied')
}

/** Writes a log row on `db`, which can be a transaction. `after` overrides the value of the entry. */
export async function writeLog(
  db: Db,
  entry: Entry,
  result: 'success' | 'failed' | 'denied',
  after?: unknown,
): Promise<void> {
  const whole = after === undefined ? changeOf(entry.before, entry.after) : { before: null, after }
  const kept = (row: unknown) => (isWorded(entry) ? withoutWords(row) : withoutPersonal(entry, row))
  const change = { before: kept(whole.before), after: kept(whole.after) }
  const { staffId, staffName, service, action, resource, resourceId, subject = null, workflowId, ip, requestId } = entry
  const who = [staffId, staffName, service, action, resource, resourceId, subject, result]
  const from = [workflowId, ip, requestId, isWebsite(entry) ? Number(resourceId) : (entry.websiteId ?? null)]
  await runText(db, INSERT, [...who, json(change.before), json(change.after), ...from], 'kept')
}

const isWebsite = ({ resource, resourceId }: Entry) => resource === 'website' && /^[1-9]\d{0,8}$/.test(resourceId ?? '')

const INSERT = `insert into action_logs (staff_id, staff_name, service, action, resource, resource_id, subject, result, before, after,
  workflow_id, ip, request_id, website_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))
