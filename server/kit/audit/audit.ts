import type { Endpoint } from '@innkeeper/contract/kit'
import type { Db } from '../db/db.ts'
import { runText } from '../db/driver/prepared.ts'
import { changeOf, nameOf } from './change.ts'
import { storedRow } from './storedRow.ts'

/**
 * What one call leaves in the action log. The stored row before and after is found by itself; a handler speaks where it
 * knows better, or where the call is about something else than its scope says.
 */
export interface Audit {
  before(row: unknown): void
  after(row: unknown): void
  /** `website`, 12: when the input's own `id` is not what it is about. */
  of(resource: string, id: number | string): void
  workflow(id: number): void
  /** Who it was, where the call itself finds out (sign-in). */
  by(staff: { id: number; name: string } | { name: string }): void
}

export interface Entry {
  staffId: number | null
  staffName: string
  service: string
  action: string
  resource: string | null
  resourceId: string | null
  /** What people call the thing. */
  subject?: string | null
  before?: unknown
  after?: unknown
  workflowId: number | null
  ip: string | null
  requestId: string | null
}

/** `website:website:create` is logged as service website, resource website, action create; a call without one by its names. */
export function entryOf(
  domain: string,
  name: string,
  { access, effect }: Endpoint,
): Pick<Entry, 'service' | 'action' | 'resource'> {
  const scope = typeof access === 'string' ? access : access[0]
  const [service, resource, action] = scope?.split(':') ?? []
  if (!service || !resource || !action) return { service: domain, resource: null, action: name }
  // some calls that change things ask for no more than the right to see them
  return { service, resource, action: effect !== 'read' && action === 'read' ? name : action }
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
 * Does what a call does and leaves its row, all in one transaction: no success without it. What the handler says of
 * before and after stands; else it is the stored row's.
 */
export async function logged<T>(tx: Db, entry: Entry, work: () => Promise<T>): Promise<T> {
  const about = keyOf(entry)
  const isNew = entry.resourceId === null
  const before = await storedRow(tx, entry)
  entry.subject = nameOf(before)
  const done = await work()
  entry.resourceId ??= idOf(done)
  const after = await storedRow(tx, entry)
  const isSame = keyOf(entry) === about
  // else the handler pointed to another thing, whose row before was not seen
  if (entry.before === undefined && entry.after === undefined && (isSame || isNew))
    Object.assign(entry, { before, after })
  entry.subject = nameOf(entry.before) ?? nameOf(entry.after) ?? nameOf(after) ?? (isSame ? nameOf(before) : null)
  await writeLog(tx, entry, 'success')
  return done
}

const keyOf = ({ resource, resourceId }: Entry): string => `${resource} ${resourceId}`

function idOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null
  if ('id' in answer) return String(answer.id)
  return 'data' in answer ? idOf(answer.data) : null
}

/** A call that was not allowed, with the name of what it was about. */
export async function writeDenied(db: Db, entry: Entry): Promise<void> {
  await writeLog(db, { ...entry, subject: entry.subject ?? nameOf(await storedRow(db, entry)) }, 'denied')
}

/** In the caller's transaction where there is one. `after` stands in the place of the entry's own. */
export async function writeLog(
  db: Db,
  entry: Entry,
  result: 'success' | 'failed' | 'denied',
  after?: unknown,
): Promise<void> {
  const change = after === undefined ? changeOf(entry.before, entry.after) : { before: null, after }
  const { staffId, staffName, service, action, resource, resourceId, subject = null, workflowId, ip, requestId } = entry
  const who = [staffId, staffName, service, action, resource, resourceId, subject, result]
  await runText(db, INSERT, [...who, json(change.before), json(change.after), workflowId, ip, requestId], 'kept')
}

const INSERT = `insert into action_logs (staff_id, staff_name, service, action, resource, resource_id, subject, result, before, after,
  workflow_id, ip, request_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))
