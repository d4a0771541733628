import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'

export const componentStatuses = ['active', 'inactive'] as const
export const auditStatuses = ['draft', 'submitted', 'acknowledged'] as const
export type AuditStatus = (typeof auditStatuses)[number]
/** Highest scores that an organisation may choose from. */
export const scales = [5, 10, 100] as const
export const componentStatus = z.enum(componentStatuses)
export const auditStatus = z.enum(auditStatuses)
export const day = z.iso.date('A day, such as 2026-11-23')
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
export const Trend = z.object({
  /** Submitted audits, oldest first. */
  audits: z.array(z.object({ id: z.int(), name: z.string(), periodEnd: day, total: z.number().nullable() })),
  /** Scores by component in percent, one value per audit. */
  components: z.array(z.object({ id: z.int(), name: z.string(), values: z.array(z.number().nullable()) })),
  user: Person,
})
export type ScrumTrend = z.output<typeof Trend>
