import * as z from 'zod'
import { csv, del, filter, get, id, line, pageOf, patch, post, version, words } from '../../kit/endpoint.ts'
import type { Permission } from '../../permissions/services.ts'
import { colour, position, prose } from '../../quality/qc/values.ts'
import { Setting } from './shapes.ts'
import { group, type SettingKind, type Tracker, takeQuery } from './values.ts'

interface Rights {
  read: Permission
  create: Permission
  update: Permission
  remove: Permission
}

const fields = {
  name: line(60),
  description: prose(500).optional(),
  colour: colour.optional(),
  position: position.optional(),
  /** Only for statuses. */
  group: group.optional(),
  isDefault: z.boolean().optional(),
}

/** Calls of one kind of setting: statuses, priorities, components, folders or departments of a tracker. */
export const settingCalls = <const B extends string>(path: B, noun: string, rights: Rights) => ({
  list: get(path, rights.read, {
    summary: `List ${noun}`,
    query: { ...takeQuery, search: filter(words(60)) },
    returns: pageOf(Setting),
  }),
  one: get(`${path}/:id`, rights.read, {
    summary: `One of the ${noun}, with the first items that have it if relations=items`,
    query: { relations: filter(csv(z.enum(['items', 'bugs', 'features', 'tickets']))) },
    returns: Setting,
  }),
  create: post(path, rights.create, { summary: `Add to the ${noun}`, body: fields, returns: Setting }),
  update: patch(`${path}/:id`, rights.update, {
    summary: `Change one of the ${noun}`,
    body: { ...fields, name: fields.name.optional(), version },
    returns: Setting,
  }),
  remove: del(`${path}/:id`, rights.remove, {
    summary: `Delete one of the ${noun}. Items that have it get the replacement`,
    body: { replacementId: filter(id), version },
    status: 204,
  }),
})
/** Domain name in `changed` events of one kind of setting, as in `contract`: `bugStatuses`. */
export const settingHint = (tracker: Tracker, kind: SettingKind): string =>
  `${tracker}${{ status: 'Statuses', priority: 'Priorities', component: 'Components', folder: 'Folders', department: 'Departments' }[kind]}`
export type SettingContract = ReturnType<typeof settingCalls<string>>

const bug = '/bug-report'
const ticket = '/internal-tickets/settings'
const feature = '/bug-report/features'

const ofBugs = <K extends 'status' | 'priority' | 'component' | 'folder' | 'department'>(kind: K) =>
  ({
    read: `bug-report:${kind}:read`,
    create: `bug-report:${kind}:create`,
    update: `bug-report:${kind}:update`,
    remove: `bug-report:${kind}:delete`,
  }) as const
const ofTickets = <K extends 'status' | 'priority' | 'component'>(kind: K) =>
  ({
    read: 'internal-ticket:settings:read',
    create: `internal-ticket:${kind}:create`,
    update: `internal-ticket:${kind}:update`,
    remove: `internal-ticket:${kind}:delete`,
  }) as const
const ofFeatures = {
  read: 'feature-request:feature:read',
  create: 'feature-request:feature:settings',
  update: 'feature-request:feature:settings',
  remove: 'feature-request:feature:settings',
} as const

/** Bugs and feature requests share components, folders and departments. */
export const bugStatuses = settingCalls(`${bug}/bugs/status`, 'statuses of bugs', ofBugs('status'))
export const bugPriorities = settingCalls(`${bug}/bugs/priority`, 'priorities of bugs', ofBugs('priority'))
export const bugComponents = settingCalls(`${bug}/components`, 'components', ofBugs('component'))
export const bugFolders = settingCalls(`${bug}/folders`, 'folders', ofBugs('folder'))
export const bugDepartments = settingCalls(`${bug}/departments`, 'departments of bugs', ofBugs('department'))
export const featureStatuses = settingCalls(`${feature}/status`, 'statuses of feature requests', ofFeatures)
export const featurePriorities = settingCalls(`${feature}/priority`, 'priorities of feature requests', ofFeatures)
export const ticketStatuses = settingCalls(`${ticket}/statuses`, 'statuses of tickets', ofTickets('status'))
export const ticketPriorities = settingCalls(`${ticket}/priorities`, 'priorities of tickets', ofTickets('priority'))
export const ticketComponents = settingCalls(`${ticket}/components`, 'components of tickets', ofTickets('component'))
