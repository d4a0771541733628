import type { SettingKind, Tracker } from '@innkeeper/contract/desk/trackers/values'
import type { Permission } from '@innkeeper/contract/permissions/services'

interface Info {
  noun: string
  plural: string
  /** Name in `changed` events, and of the client in the web. */
  hint: string
  /** Path of the screens. */
  path: string
  read: Permission
  update: Permission
  assign: Permission
  status: Permission
  archive: Permission
  remove: Permission
}

/** Name, paths and permissions of each tracker. */
export const info: Record<Tracker, Info> = {
  bug: {
    noun: 'bug',
    plural: 'bugs',
    hint: 'bugs',
    path: '/internal-tickets/bugs',
    read: 'bug-report:bug:read',
    update: 'bug-report:bug:update',
    assign: 'bug-report:bug:update',
    status: 'bug-report:bug:update',
    archive: 'bug-report:bug:archive',
    remove: 'bug-report:bug:delete',
  },
  feature: {
    noun: 'feature request',
    plural: 'feature requests',
    hint: 'features',
    path: '/internal-tickets/features',
    read: 'feature-request:feature:read',
    update: 'feature-request:feature:update',
    assign: 'feature-request:feature:update',
    status: 'feature-request:feature:update',
    archive: 'feature-request:feature:archive',
    remove: 'feature-request:feature:delete',
  },
  ticket: {
    noun: 'ticket',
    plural: 'tickets',
    hint: 'internalTickets',
    path: '/internal-tickets/tickets',
    read: 'internal-ticket:ticket:read',
    update: 'internal-ticket:ticket:update',
    assign: 'internal-ticket:ticket:assign',
    status: 'internal-ticket:ticket:status',
    archive: 'internal-ticket:ticket:update',
    remove: 'internal-ticket:ticket:delete',
  },
}

/** The tracker that owns a kind of setting: bugs and feature requests share components, folders and departments. */
export const homeOf = (tracker: Tracker, kind: SettingKind): Tracker =>
  tracker === 'feature' && kind !== 'status' && kind !== 'priority' ? 'bug' : tracker
