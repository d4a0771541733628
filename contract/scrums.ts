import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  stored,
  version,
  whole,
} from './kit.ts'
import { prose, someProse } from './qc/values.ts'

/** Scrum audits: specification people §2 Scrums, §3 Dev-scrum audits and components, §7 Dev-scrum. */
const base = '/dev-scrum'

export const componentStatuses = ['active', 'inactive'] as const
export const auditStatuses = ['draft', 'submitted', 'acknowledged'] as const
export type AuditStatus = (typeof auditStatuses)[number]
/** Highest scores that an organisation may choose from. */
export const scales = [5, 10, 100] as const

const componentStatus = z.enum(componentStatuses)
const auditStatus = z.enum(auditStatuses)
const day = z.iso.date('A day, such as 2026-11-23')
const Person = z.object({ id: z.int(), name: z.string() })

export const ScrumComponent = z.object({
  ...stored,
  name: z.string(),
  description: z.string(),
  /** Share of the total: a component of 20 counts twice as much as one of 10. */
  weight: z.int(),
  status: componentStatus,
  /** Number of audits that score the component. */
  audits: z.int(),
})
export type ScrumComponent = z.output<typeof ScrumComponent>

const AuditItem = z.object({
  componentId: z.int(),
  /** Name and weight at the time of submission; in a draft, the present ones. */
  name: z.string(),
  weight: z.int(),
  /** Null: not applicable, left out of the total. */
  score: z.int().nullable(),
  comment: z.string(),
})
export type AuditItem = z.output<typeof AuditItem>

export const AuditAction = z.object({
  id: z.int(),
  title: z.string(),
  componentId: z.int().nullable(),
  componentName: z.string().nullable(),
  /** The internal ticket and its current status; null after the ticket was deleted. */
  ticketId: z.int(),
  ticketKey: z.string().nullable(),
  state: z.string().nullable(),
  isDone: z.boolean(),
  createdAt: instant,
})
export type AuditAction = z.output<typeof AuditAction>

export const DevAudit = z.object({
  ...stored,
  name: z.string(),
  user: Person,
  departmentName: z.string().nullable(),
  auditor: Person,
  periodStart: day,
  periodEnd: day,
  status: auditStatus,
  /** Highest score of the audit's components. */
  scale: z.int(),
  summary: z.string(),
  items: z.array(AuditItem),
  /** Weighted share of the highest score in percent; null without a scored component. */
  total: z.number().nullable(),
  actions: z.array(AuditAction),
  submittedAt: instant.nullable(),
  acknowledgedAt: instant.nullable(),
  /** Reply of the audited person when acknowledging. */
  reply: z.string(),
  mayEdit: z.boolean(),
  mayAcknowledge: z.boolean(),
})
export type DevAudit = z.output<typeof DevAudit>

export const ScrumSettings = z.object({
  version: z.int(),
  scale: z.union([z.literal(5), z.literal(10), z.literal(100)]),
  /** Length of the period that a new audit proposes. */
  periodDays: z.int(),
  /** Percent of the highest score below which a score needs a comment. */
  commentBelow: z.int(),
  /** Days after which the audited person is reminded of a submitted audit; 0: never. */
  remindDays: z.int(),
})
export type ScrumSettings = z.output<typeof ScrumSettings>

const Trend = z.object({
  /** Submitted audits, oldest first. */
  audits: z.array(z.object({ id: z.int(), name: z.string(), periodEnd: day, total: z.number().nullable() })),
  /** Scores by component in percent, one value per audit. */
  components: z.array(z.object({ id: z.int(), name: z.string(), values: z.array(z.number().nullable()) })),
  user: Person,
})
export type ScrumTrend = z.output<typeof Trend>

const items = z
  .array(
    z.object({
      componentId: id,
      score: whole(0, 100).nullable().optional(),
      comment: prose(2000).optional(),
    }),
  )
  .max(100)
const auditFields = {
  periodStart: day.optional(),
  periodEnd: day.optional(),
  summary: prose(4000).optional(),
  items: items.optional(),
}
const componentFields = {
  description: prose(1000).optional(),
  weight: whole(1, 100).optional(),
  status: componentStatus.optional(),
}
const auditFilters = {
  search: filter(line(100)),
  userId: filter(csv(id)),
  auditorId: filter(csv(id)),
  status: filter(csv(auditStatus)),
  from: filter(day),
  to: filter(day),
}
const auditSorts = ['periodEnd', 'createdAt', 'total'] as const
const componentQuery = { ...listQuery(['name', 'weight', 'createdAt']), search: filter(line(100)) }

export const scrums = {
  audits: get(`${base}/audits`, 'scrums:audit:read', {
    summary: 'Audits that the caller may see: of the own department, of the caller, and by the caller',
    query: { ...listQuery(auditSorts), ...auditFilters },
    returns: pageOf(DevAudit),
  }),
  auditsOf: get(`${base}/audits/user/:id`, 'scrums:audit:read', {
    summary: 'Audits of a person; one’s own submitted audits without a permission',
    own: 'id',
    query: { ...listQuery(auditSorts), status: auditFilters.status },
    returns: pageOf(DevAudit),
    aliases: [`${base}/audits/users/:id`],
  }),
  trend: get(`${base}/audits/user/:id/trend`, 'scrums:audit:read', {
    summary: 'Totals and scores by component of a person’s submitted audits, oldest first',
    own: 'id',
    returns: Trend,
  }),
  audit: get(`${base}/audits/:id`, 'signedIn', {
    summary: 'One audit; one’s own submitted audit without a permission',
    returns: DevAudit,
  }),
  createAudit: post(`${base}/audits`, 'scrums:audit:create', {
    summary: 'Create an audit of a person over a period, as a draft unless it is submitted at once',
    body: { name: line(120), userId: id, status: z.enum(['draft', 'submitted']).optional(), ...auditFields },
    returns: DevAudit,
  }),
  updateAudit: patch(`${base}/audits/:id`, 'scrums:audit:update', {
    summary: 'Change one’s own draft, submit it, or withdraw it before it is acknowledged',
    body: { name: line(120).optional(), status: auditStatus.optional(), ...auditFields, version },
    returns: DevAudit,
  }),
  removeAudit: del(`${base}/audits/:id`, 'scrums:audit:delete', {
    summary: 'Delete an audit that is not acknowledged',
    body: { version },
  }),
  acknowledge: post(`${base}/audits/:id/acknowledge`, 'signedIn', {
    summary: 'Acknowledge one’s own submitted audit, with a reply',
    body: { reply: prose(4000).optional(), version },
    status: 200,
    returns: DevAudit,
  }),
  addAction: post(`${base}/audits/:id/actions`, 'scrums:audit:update', {
    summary: 'Add an agreed action, which becomes an internal ticket of the audited person',
    body: { title: line(160), description: someProse(4000).optional(), componentId: id.nullable().optional() },
    returns: DevAudit,
  }),
  removeAction: del(`${base}/audits/:id/actions/:action`, 'scrums:audit:update', {
    summary: 'Remove an action from an audit; its ticket stays',
    params: { id, action: id },
    returns: DevAudit,
    status: 200,
  }),
  components: get(`${base}/components`, 'scrums:component:read', {
    summary: 'Components',
    query: {
      ...componentQuery,
      status: filter(csv(componentStatus)),
      active: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(ScrumComponent),
  }),
  activeComponents: get(`${base}/components/active`, 'scrums:component:read', {
    summary: 'Components that new audits score',
    query: componentQuery,
    returns: pageOf(ScrumComponent),
  }),
  component: get(`${base}/components/:id`, 'scrums:component:read', {
    summary: 'One component',
    returns: ScrumComponent,
  }),
  createComponent: post(`${base}/components`, 'scrums:component:create', {
    summary: 'Create a component',
    body: { name: line(80), ...componentFields },
    returns: ScrumComponent,
  }),
  updateComponent: patch(`${base}/components/:id`, 'scrums:component:update', {
    summary: 'Change a component; submitted audits keep its name and weight',
    body: { name: line(80).optional(), ...componentFields, version },
    returns: ScrumComponent,
  }),
  removeComponent: del(`${base}/components/:id`, 'scrums:component:delete', {
    summary: 'Delete a component; audits that score the component keep it',
    body: { version },
  }),
  settings: get(`${base}/settings`, 'scrums:component:create', {
    summary: 'Settings of audits',
    returns: ScrumSettings,
  }),
  updateSettings: patch(`${base}/settings`, 'scrums:component:create', {
    summary: 'Change the settings of audits; existing audits keep their scale',
    body: {
      scale: ScrumSettings.shape.scale.optional(),
      periodDays: whole(1, 366).optional(),
      commentBelow: whole(0, 100).optional(),
      remindDays: whole(0, 90).optional(),
      version,
    },
    returns: ScrumSettings,
  }),
}
