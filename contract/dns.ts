import * as z from 'zod'
import { recordTypes } from './dns/records.ts'
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
import { domain } from './values.ts'

export const recordType = z.enum(recordTypes)

/** What a name server was seen to have of a zone. `behind`: an older serial; `different`: the serial, other records. */
export const seen = z.enum(['unknown', 'same', 'missing', 'behind', 'different', 'silent'])
const NameServer = z.object({
  serverId: z.int(),
  name: z.string(),
  address: z.string().nullable(),
  primary: z.boolean(),
  seen,
  serial: z.int().nullable(),
  at: instant.nullable(),
})
export type NameServer = z.output<typeof NameServer>

export const Zone = z.object({
  ...stored,
  domain: z.string(),
  /** As people write it, where that is not the same. */
  unicode: z.string().nullable(),
  /** Name servers answer it. */
  active: z.boolean(),
  /** Administrators alone see it. */
  adminOnly: z.boolean(),
  departmentIds: z.array(z.int()),
  serial: z.int(),
  /** What all name servers were last seen to have. */
  liveSerial: z.int().nullable(),
  dnssec: z.boolean(),
  records: z.int(),
  changedBy: z.string().nullable(),
  /** The workflow that is at work on it, or stopped. */
  workflowId: z.int().nullable(),
})
export type Zone = z.output<typeof Zone>

/** A set of records that resolvers may still answer as it was before its last change. */
export const Fading = z.object({ name: z.string(), type: z.string(), until: instant })
export type Fading = z.output<typeof Fading>

export const ZoneView = Zone.extend({
  servers: z.array(NameServer),
  departments: z.array(z.object({ id: z.int(), name: z.string(), promoted: z.boolean() })),
  fading: z.array(Fading),
  /** The SOA as name servers answer it. */
  soa: z.string(),
  /** What the registry of the name needs, once it is signed. */
  ds: z.array(z.string()),
  website: z.object({ id: z.int(), domain: z.string() }).nullable(),
})
export type ZoneView = z.output<typeof ZoneView>

export const DnsRecord = z.object({
  id: z.int(),
  /** Below its zone; `@` is the zone itself. */
  name: z.string(),
  type: recordType,
  ttl: z.int(),
  priority: z.int().nullable(),
  content: z.string(),
})
export type DnsRecord = z.output<typeof DnsRecord>

/** As it is typed: what is wrong with it is said beside its field, in words, by the handler. */
const typed = z.object({
  name: z.string().max(300),
  type: z.string().max(20),
  ttl: z.preprocess((v) => (typeof v === 'string' && /^-?\d{1,10}$/.test(v) ? Number(v) : v), z.number()).optional(),
  priority: z
    .preprocess(
      (v) => (v === '' ? null : typeof v === 'string' && /^-?\d{1,10}$/.test(v) ? Number(v) : v),
      z.number().nullable(),
    )
    .optional(),
  content: z.string().max(100_000),
})
/** Of a template, where `{domain}` and `{address}` stand for what the zone is made with. */
export const TemplateRecord = z.object({
  name: z.string().max(300),
  type: recordType,
  ttl: z.int().min(1).max(2_419_200),
  priority: z.int().min(0).max(65_535).nullable(),
  content: z.string().min(1).max(8192),
})
export type TemplateRecord = z.output<typeof TemplateRecord>
export const Template = z.object({ ...stored, name: z.string(), records: z.array(TemplateRecord) })
export type Template = z.output<typeof Template>

const delta = { create: z.array(typed).max(5000).optional(), delete: z.array(id).max(5000).optional() }
const Finding = z.object({ index: z.int().nullable(), field: z.string().nullable(), message: z.string() })
const ChangeLine = z.object({
  sign: z.enum(['+', '-']),
  name: z.string(),
  type: z.string(),
  ttl: z.int(),
  priority: z.int().nullable(),
  content: z.string(),
})
export const ZoneChange = z.object({
  id: z.int(),
  at: instant,
  by: z.string(),
  kind: z.enum(['create', 'edit', 'import', 'revert', 'website']),
  serial: z.int(),
  revertedBy: z.string().nullable(),
  lines: z.array(ChangeLine),
})
export type ZoneChange = z.output<typeof ZoneChange>

const Department = z.object({
  id: z.int(),
  name: z.string(),
  people: z.int(),
  zones: z.int(),
  promotedAt: instant.nullable(),
  promotedBy: z.string().nullable(),
})
export type DnsDepartment = z.output<typeof Department>

export const Settings = z.object({
  version: z.int(),
  /** The server that zones are written to; null: the first name server. */
  primaryServerId: z.int().nullable(),
  /** What new zones name as their name servers. */
  nameServers: z.array(z.string()),
  hostmaster: z.string(),
})
export type DnsSettings = z.output<typeof Settings>

const zones = '/dns/zones'
const zoneFilters = {
  search: filter(z.string().trim().max(253)),
  active: filter(z.enum(['true', 'false'])),
  adminOnly: filter(z.enum(['true', 'false'])),
  department: filter(csv(id)),
}
const zoneQuery = { ...listQuery(['domain', 'updatedAt', 'createdAt']), ...zoneFilters }
const Difference = z.object({
  serverId: z.int(),
  name: z.string(),
  seen,
  serial: z.int().nullable(),
  /** `-` stands on the server and not here, `+` the other way round. */
  lines: z.array(z.string()),
})

export const dns = {
  zones: get(zones, 'dns:zone:read', {
    summary: 'DNS zones that the caller may see',
    query: zoneQuery,
    returns: pageOf(Zone),
  }),
  search: post(`${zones}/search`, 'dns:zone:read', {
    summary: 'Zones by part of their name; `step` is a page size',
    effect: 'read',
    status: 200,
    body: {
      ...zoneQuery,
      domain: filter(z.string().trim().max(253)),
      step: filter(whole(1, 200)),
    },
    returns: pageOf(Zone),
  }),
  zone: get(`${zones}/:id`, 'dns:zone:read', { summary: 'One zone with its name servers', returns: ZoneView }),
  create: post(zones, 'dns:zone:create', {
    summary: 'Add a zone: with the usual records, by a template, or from a zone file',
    body: {
      domain,
      departmentIds: z.array(id).max(50).optional(),
      adminOnly: z.boolean().optional(),
      active: z.boolean().optional(),
      templateId: id.optional(),
      /** What `{address}` of the template stands for. */
      address: z.string().trim().max(45).optional(),
      zoneFile: z.string().max(1_000_000).optional(),
    },
    returns: Zone,
  }),
  remove: del(zones, 'dns:zone:delete', {
    summary: 'Delete a zone: name servers answer it no more',
    body: { zoneId: id, version },
    status: [202, 204],
    returns: z.object({ workflowId: z.int() }).optional(),
    aliases: [`${zones}/:zoneId`],
  }),
  update: patch(`${zones}/:id`, 'dns:zone:update', {
    summary: 'Who sees a zone, and whether it is signed',
    body: {
      adminOnly: z.boolean().optional(),
      departmentIds: z.array(id).max(50).optional(),
      dnssec: z.boolean().optional(),
      version,
    },
    returns: Zone,
  }),
  activate: patch(`${zones}/:id/activate`, 'dns:zone:activate', {
    summary: 'Have name servers answer a zone, or answer it no more',
    body: { active: z.boolean().default(true), version },
    returns: Zone,
  }),
  sync: patch(`${zones}/worker/sync`, 'dns:zone:sync', {
    summary: 'Compare the zones, or one, with every name server, and repair what differs',
    body: { zoneId: id.optional(), repair: z.boolean().default(true) },
    status: 202,
    returns: z.object({ workflowId: z.int(), zones: z.int(), servers: z.int() }),
  }),
  compare: get(`${zones}/:id/compare`, 'dns:zone:read', {
    summary: 'What each name server has that the zone has not, asked now',
    live: true,
    returns: z.object({ items: z.array(Difference) }),
  }),
  changes: get(`${zones}/:id/changes`, 'dns:zone:read', {
    summary: 'What was changed in a zone, newest first',
    query: { ...listQuery(['at']), name: filter(z.string().trim().toLowerCase().max(253)), type: filter(recordType) },
    returns: pageOf(ZoneChange),
  }),
  revert: post(`${zones}/:id/changes/:change/revert`, 'dns:record:update', {
    summary: 'Take a change back by a new one',
    params: { id, change: id },
    body: { version },
    status: 202,
    returns: z.object({ zone: Zone, workflowId: z.int().nullable() }),
  }),
  exported: get(`${zones}/:id/file`, 'dns:zone:read', {
    summary: 'The zone as a zone file (RFC 1035)',
    returns: z.object({ name: z.string(), text: z.string() }),
  }),
  readFile: post(`${zones}/:id/file`, 'dns:record:update', {
    summary: 'What a zone file would change; nothing is saved',
    effect: 'read',
    status: 200,
    body: { text: z.string().min(1).max(1_000_000), replace: z.boolean().optional() },
    returns: z.object({
      create: z.array(DnsRecord.omit({ id: true })),
      delete: z.array(DnsRecord),
      skipped: z.array(z.object({ line: z.int(), text: z.string(), why: z.string() })),
    }),
  }),

  records: get('/dns/records', 'dns:zone:read', {
    summary: 'Records of a zone',
    query: {
      ...listQuery(['name', 'type', 'ttl']),
      zoneId: id,
      search: filter(z.string().trim().max(255)),
      type: filter(csv(recordType)),
    },
    returns: pageOf(DnsRecord),
    aliases: [`${zones}/:zoneId/records`],
  }),
  updateRecords: patch('/dns/records', 'dns:record:update', {
    summary: 'Create and delete records of a zone at once: 202 where something is created, else 204',
    body: { zoneId: id, ...delta, version, kind: z.enum(['edit', 'import']).optional() },
    status: [202, 204],
    returns: z.object({ zone: Zone, workflowId: z.int().nullable(), warnings: z.array(z.string()) }).optional(),
    aliases: [`${zones}/:zoneId/records`],
  }),
  check: post('/dns/records/check', 'dns:record:update', {
    summary: 'What is wrong with a change, and what is unusual about it; nothing is saved',
    effect: 'read',
    status: 200,
    body: { zoneId: id, ...delta },
    returns: z.object({ problems: z.array(Finding), warnings: z.array(Finding) }),
  }),

  departments: get('/dns/departments', 'dns:department:read', {
    summary: 'Departments, and which of them zones can be given to',
    query: {
      ...listQuery(['name']),
      search: filter(z.string().trim().max(80)),
      promoted: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(Department),
  }),
  promote: post('/dns/departments', 'dns:department:create', {
    summary: 'Departments whose people work with the zones that are given to them',
    body: { ids: z.array(id).min(1).max(200) },
    returns: z.object({ promoted: z.int() }),
  }),
  demote: del('/dns/departments', 'dns:department:delete', {
    summary: 'Their zones stay theirs, and are seen by administrators alone until they are promoted again',
    body: { ids: csv(id) },
    status: 204,
    aliases: ['/dns/departments/:ids'],
  }),

  templates: get('/dns/templates', 'dns:zone:read', {
    summary: 'Templates for new zones',
    query: { ...listQuery(['name']), search: filter(z.string().trim().max(80)) },
    returns: pageOf(Template),
  }),
  addTemplate: post('/dns/templates', 'dns:zone:create', {
    summary: 'Add a template',
    body: { name: line(80), records: z.array(TemplateRecord).min(1).max(200) },
    returns: Template,
  }),
  updateTemplate: patch('/dns/templates/:id', 'dns:zone:create', {
    summary: 'Change a template; zones that were made with it stay as they are',
    body: { name: line(80).optional(), records: z.array(TemplateRecord).min(1).max(200).optional(), version },
    returns: Template,
  }),
  removeTemplate: del('/dns/templates/:id', 'dns:zone:create', {
    summary: 'Delete a template',
    body: { version },
    status: 204,
  }),
  settings: get('/dns/settings', 'dns:zone:read', {
    summary: 'How new zones begin, and where zones are written',
    returns: Settings,
  }),
  updateSettings: patch('/dns/settings', 'dns:zone:sync', {
    summary: 'Choose the primary, and what new zones name as their name servers',
    body: {
      primaryServerId: id.nullable().optional(),
      nameServers: z.array(domain).min(1).max(8).optional(),
      hostmaster: domain.optional(),
      version,
    },
    returns: Settings,
  }),
}
