import type { Endpoint } from '@innkeeper/contract/kit'
import type { Db } from './db.ts'
import { actionLogs } from './tables.ts'

/** What one call leaves in the action log. Handlers say what changed; who, when and how it ended is added here. */
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
  { access }: Endpoint,
): Pick<Entry, 'service' | 'action' | 'resource'> {
  const scope = typeof access === 'string' ? access : access[0]
  const [service, resource, action] = scope?.split(':') ?? []
  return service && resource && action
    ? { service, resource, action }
    : { service: domain, resource: null, action: name }
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

/** In the caller's transaction where there is one: no success without its row. */
export async function writeLog(
  db: Db,
  entry: Entry,
  result: 'success' | 'failed' | 'denied',
  after?: unknown,
): Promise<void> {
  await db
    .insert(actionLogs)
    .values({ ...entry, after: after ?? entry.after ?? null, before: entry.before ?? null, result })
}
