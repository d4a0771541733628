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
} from '../../kit/endpoint.ts'
import { domain } from '../../kit/values.ts'
import { ExportedKey, ShownKey } from './keyKinds.ts'
import { hostmaster, ZoneOptions, zoneOptions } from './options.ts'
import { isType, MAX_RECORDS, TTL } from './records.ts'
import { type RecordType, recordTypes } from './recordTypes.ts'
import { MAX_ZONE_FILE, transferCalls } from './transfer.ts'

/** A type by its name, or a type without a name here by its number: `TYPE65280`. */
export const recordType = z.union(
  [
    z.enum(recordTypes, 'Not a supported type'),
    z
      .string()
      .max(20)
      .refine((type): type is RecordType => isType(type), 'Not a supported type'),
  ],
  'Not a supported type',
)

/**
 * State of a zone on a name server at the last comparison. `behind`: an older serial; `different`: the same serial,
 * other records, role or keys; `bogus`: resolvers that validate refuse its answers.
 */
export const seen = z.enum(['unknown', 'same', 'missing', 'behind', 'different', 'bogus', 'silent'])
const NameServer = z.object({
  serverId: z.int(),
  name: z.string(),
  address: z.string().nullable(),
  primary: z.boolean(),
  seen,
  /** How its role, keys or signatures differ. */
  why: z.string().nullable(),
  serial: z.int().nullable(),
  at: instant.nullable(),
})
export type NameServer = z.output<typeof NameServer>

export const Zone = z.object({
  ...stored,
  domain: z.string(),
  /** The domain in its own letters, if it differs from the ASCII form. */
  unicode: z.string().nullable(),
  /** True: name servers answer the zone. */
  active: z.boolean(),
  /** True: only administrators see the zone. */
  adminOnly: z.boolean(),
  departmentIds: z.array(z.int()),
  serial: z.int(),
  /** The result of the last comparison over all name servers. */
  liveSerial: z.int().nullable(),
  dnssec: z.boolean(),
  records: z.int(),
  changedBy: z.string().nullable(),
  /** The running or failed workflow. */
  workflowId: z.int().nullable(),
})
export type Zone = z.output<typeof Zone>

/** A changed record set whose former state resolvers may still cache. */
export const Fading = z.object({ name: z.string(), type: z.string(), until: instant })
export type Fading = z.output<typeof Fading>

export const ZoneView = Zone.extend({
  servers: z.array(NameServer),
  departments: z.array(z.object({ id: z.int(), name: z.string(), promoted: z.boolean() })),
  fading: z.array(Fading),
  /** The SOA record that name servers answer. */
  soa: z.string(),
  /** DS records for the registry of a signed zone. */
  ds: z.array(z.string()),
  options: ZoneOptions,
  /** Keys of the zone, also while it is not signed. */
  keys: z.array(ShownKey),
  website: z.object({ id: z.int(), domain: z.string() }).nullable(),
})
export type ZoneView = z.output<typeof ZoneView>

export const DnsRecord = z.object({
  id: z.int(),
  /** Name within the zone; `@` is the zone itself. */
  name: z.string(),
  type: recordType,
  ttl: z.int(),
  priority: z.int().nullable(),
  content: z.string(),
})
export type DnsRecord = z.output<typeof DnsRecord>

/** A record as typed. The handler validates it and answers problems per field. */
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
/** A record of a template, with the placeholders `{domain}` and `{address}`. */
export const TemplateRecord = z.object({
  name: z.string().max(300),
  type: recordType,
  ttl: z.int().min(TTL.min).max(TTL.max),
  priority: z.int().min(0).max(65_535).nullable(),
  content: z.string().min(1).max(8192),
})
export type TemplateRecord = z.output<typeof TemplateRecord>
export const Template = z.object({ ...stored, name: z.string(), records: z.array(TemplateRecord) })
export type Template = z.output<typeof Template>

const delta = { create: z.array(typed).max(MAX_RECORDS).optional(), delete: z.array(id).max(MAX_RECORDS).optional() }
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
  /** The server that receives changes of zones; null: the first name server. */
  primaryServerId: z.int().nullable(),
  /** NS names of new zones. */
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
  why: z.string().nullable(),
  serial: z.int().nullable(),
  /** `-`: only on the name server, `+`: only in the database. */
  lines: z.array(z.string()),
})

export const dns = {
  zones: get(zones, 'dns:zone:read', {
    summary: 'DNS zones that the caller may see',
    query: zoneQuery,
    returns: pageOf(Zone),
  }),
  search: post(`${zones}/search`, 'dns:zone:read', {
    summary: 'Search zones by name; `step` is the page size',
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
    summary: 'Create a zone with the usual records, from a template or from a zone file',
    body: {
      domain,
      departmentIds: z.array(id).max(50).optional(),
      adminOnly: z.boolean().optional(),
      active: z.boolean().optional(),
      templateId: id.optional(),
      /** Replaces `{address}` of the template. */
      address: z.string().trim().max(45).optional(),
      zoneFile: z.string().max(MAX_ZONE_FILE).optional(),
      /** Number of lines of the file that cannot be kept, as confirmed by the caller; any other number is refused. */
      leaveOut: z.int().min(0).optional(),
    },
    returns: Zone,
  }),
  ...transferCalls,
  remove: del(zones, 'dns:zone:delete', {
    summary: 'Delete a zone from the database and all name servers',
    body: { zoneId: id, version },
    status: [202, 204],
    returns: z.object({ workflowId: z.int() }).optional(),
    aliases: [`${zones}/:zoneId`],
  }),
  update: patch(`${zones}/:id`, 'dns:zone:update', {
    summary: 'Change who sees a zone, whether it is signed, and how name servers answer',
    effect: 'stream',
    body: {
      /** Stop signing even if the parent zone has a DS record or cannot be asked. */
      despiteDs: z.boolean().optional(),
      adminOnly: z.boolean().optional(),
      departmentIds: z.array(id).max(50).optional(),
      dnssec: z.boolean().optional(),
      options: zoneOptions.partial().optional(),
      version,
    },
    returns: Zone,
  }),
  exportKeys: post(`${zones}/:id/keys/export`, 'dns:key:read', {
    summary: 'Show the private keys that sign a zone, and the key with which name servers outside transfer the zone',
    status: 200,
    returns: z.object({
      keys: z.array(ExportedKey),
      transfer: z
        .object({ name: z.string(), algorithm: z.string(), key: z.string(), primary: z.string().nullable() })
        .nullable(),
    }),
  }),
  rollKey: post(`${zones}/:id/keys/roll`, 'dns:zone:update', {
    summary: 'Replace the keys of a signed zone: begin adds keys, finish removes the former, cancel removes the new',
    effect: 'stream',
    status: 200,
    body: {
      step: z.enum(['begin', 'finish', 'cancel']),
      /** Continue even if the parent zone names no remaining key or cannot be asked, or a name server lacks the new keys. */
      despiteDs: z.boolean().optional(),
      version,
    },
    returns: Zone,
  }),
  activate: patch(`${zones}/:id/activate`, 'dns:zone:activate', {
    summary: 'Switch a zone on or off on its name servers',
    body: { active: z.boolean().default(true), version },
    returns: Zone,
  }),
  sync: patch(`${zones}/worker/sync`, 'dns:zone:sync', {
    summary: 'Compare one or all zones with every name server, and repair differences',
    body: { zoneId: id.optional(), repair: z.boolean().default(true) },
    status: 202,
    returns: z.object({ workflowId: z.int(), zones: z.int(), servers: z.int() }),
  }),
  compare: get(`${zones}/:id/compare`, 'dns:zone:read', {
    summary: 'Differences between a zone and each name server, read now',
    live: true,
    returns: z.object({ items: z.array(Difference) }),
  }),
  changes: get(`${zones}/:id/changes`, 'dns:zone:read', {
    summary: 'Changes of a zone, newest first',
    query: { ...listQuery(['at']), name: filter(z.string().trim().toLowerCase().max(253)), type: filter(recordType) },
    returns: pageOf(ZoneChange),
  }),
  revert: post(`${zones}/:id/changes/:change/revert`, 'dns:record:update', {
    summary: 'Revert a change by a new change',
    params: { id, change: id },
    body: { version },
    status: 202,
    returns: z.object({ zone: Zone, workflowId: z.int().nullable() }),
  }),
  exported: get(`${zones}/:id/file`, 'dns:zone:read', {
    summary: 'Export a zone as a zone file (RFC 1035)',
    returns: z.object({ name: z.string(), text: z.string() }),
  }),
  readFile: post(`${zones}/:id/file`, 'dns:record:update', {
    summary: 'Preview what a zone file would change',
    effect: 'read',
    status: 200,
    body: { text: z.string().min(1).max(MAX_ZONE_FILE), replace: z.boolean().optional() },
    returns: z.object({
      create: z.array(DnsRecord.omit({ id: true })),
      delete: z.array(DnsRecord),
      skipped: z.array(
        z.object({ line: z.int(), text: z.string(), why: z.string(), managed: z.literal(true).optional() }),
      ),
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
    summary: 'Create and delete records of a zone in one change: 202 if records are created, else 204',
    body: { zoneId: id, ...delta, version, kind: z.enum(['edit', 'import']).optional() },
    status: [202, 204],
    returns: z.object({ zone: Zone, workflowId: z.int().nullable(), warnings: z.array(z.string()) }).optional(),
    aliases: [`${zones}/:zoneId/records`],
  }),
  check: post('/dns/records/check', 'dns:record:update', {
    summary: 'Validate a change: problems and warnings, without saving',
    effect: 'read',
    status: 200,
    body: { zoneId: id, ...delta },
    returns: z.object({
      problems: z.array(Finding),
      warnings: z.array(Finding),
      /** Ids of `delete` that the zone no longer has. */
      missing: z.array(z.int()),
    }),
  }),

  departments: get('/dns/departments', 'dns:department:read', {
    summary: 'Departments, and which of them can own zones',
    query: {
      ...listQuery(['name']),
      search: filter(z.string().trim().max(80)),
      promoted: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(Department),
  }),
  promote: post('/dns/departments', 'dns:department:create', {
    summary: 'Allow departments to own zones',
    body: { ids: z.array(id).min(1).max(200) },
    returns: z.object({ promoted: z.int() }),
  }),
  demote: del('/dns/departments', 'dns:department:delete', {
    summary: 'Stop departments from owning zones; until they are promoted again, only administrators see their zones',
    body: { ids: csv(id) },
    status: 204,
    aliases: ['/dns/departments/:ids'],
  }),

  templates: get('/dns/templates', 'dns:zone:read', {
    summary: 'Zone templates',
    query: { ...listQuery(['name']), search: filter(z.string().trim().max(80)) },
    returns: pageOf(Template),
  }),
  addTemplate: post('/dns/templates', 'dns:zone:create', {
    summary: 'Add a template',
    body: { name: line(80), records: z.array(TemplateRecord).min(1).max(200) },
    returns: Template,
  }),
  updateTemplate: patch('/dns/templates/:id', 'dns:zone:create', {
    summary: 'Change a template; existing zones stay unchanged',
    body: { name: line(80).optional(), records: z.array(TemplateRecord).min(1).max(200).optional(), version },
    returns: Template,
  }),
  removeTemplate: del('/dns/templates/:id', 'dns:zone:create', {
    summary: 'Delete a template',
    body: { version },
    status: 204,
  }),
  settings: get('/dns/settings', 'dns:zone:read', {
    summary: 'Settings of new zones and the primary name server',
    returns: Settings,
  }),
  updateSettings: patch('/dns/settings', 'dns:zone:sync', {
    summary: 'Set the primary and the NS names of new zones',
    body: {
      primaryServerId: id.nullable().optional(),
      nameServers: z.array(domain).min(1).max(8).optional(),
      hostmaster: hostmaster.optional(),
      version,
    },
    returns: Settings,
  }),
}
