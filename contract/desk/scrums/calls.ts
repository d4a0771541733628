import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, version, whole } from '../../kit/endpoint.ts'
import { prose, someProse } from '../../quality/qc/values.ts'
import { auditStatus, componentStatus, DevAudit, day, ScrumComponent, ScrumSettings, Trend } from './shapes.ts'

/** Scrum audits: specification people §2 Scrums, §3 Dev-scrum audits and components, §7 Dev-scrum. */
const base = '/dev-scrum'

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
