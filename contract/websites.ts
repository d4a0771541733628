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
  pageFields,
  patch,
  post,
  stored,
  version,
  whole,
} from './kit.ts'
import { domain, phpVersion, servedName, username } from './values.ts'
import { Action, actionUpdate, WorkflowWithActions } from './workflows.ts'

export const websiteStatus = z.enum(['creating', 'active', 'suspended', 'failed', 'migrating', 'deleting', 'deleted'])
export const websiteKind = z.enum(['main', 'sub', 'staging', 'alias'])
export const environment = z.enum(['production', 'staging', 'development'])

export const Toggles = z.object({
  redisCache: z.boolean(),
  maintenance: z.boolean(),
  ssl: z.boolean(),
  cdn: z.boolean(),
  backups: z.boolean(),
})
export type Toggles = z.output<typeof Toggles>

export const Website = z.object({
  ...stored,
  domain: z.string(),
  kind: websiteKind,
  environment,
  status: websiteStatus,
  ownerId: z.int(),
  ownerName: z.string(),
  serverId: z.int(),
  serverName: z.string(),
  planId: z.int(),
  planName: z.string(),
  systemUserId: z.int(),
  username: z.string(),
  groupId: z.int().nullable(),
  /** What a sub-website, an alias or a staging copy belongs to. */
  parentId: z.int().nullable(),
  parentDomain: z.string().nullable(),
  /** As people write its domain, where that is not the same: `blåbær.example`. */
  unicode: z.string().nullable(),
  /** Of an alias: whether it is served or sent on; of a former name, until when. */
  mode: z.enum(['serve', 'redirect']).nullable(),
  until: instant.nullable(),
  documentRoot: z.string(),
  phpVersion: z.string(),
  toggles: Toggles,
  /** The workflow at work on it, or the one that stopped. */
  workflowId: z.int().nullable(),
  /** In the trash since, and until: then it is taken away for good. */
  deletedAt: instant.nullable(),
  purgeAfter: instant.nullable(),
})
export type Website = z.output<typeof Website>

/** What will run: shown beside the form, kept frozen with the workflow. */
export const PlannedAction = z.object({
  name: z.string(),
  title: z.string(),
  what: z.string(),
  serverName: z.string().nullable(),
  /** May be left out by `excludeActions`. */
  optional: z.boolean(),
})
export type PlannedAction = z.output<typeof PlannedAction>

/** What a website consists of on the machines: the `resourceType` of its actions, as people read it. */
export const resourceTitles: Readonly<Record<string, string>> = {
  'system-user': 'System user',
  'document-root': 'Document root',
  'php-pool': 'PHP pool',
  'own-php-pool': 'PHP pool of its own',
  'nginx-site': 'nginx site',
  'apache-site': 'Apache site',
  'dns-record': 'DNS records',
  edge: 'Edge',
  'website-logs': 'Logs',
  database: 'Database',
  'database-user': 'Database account',
  'site-config': 'Configuration files',
  certificate: 'Certificate',
  'old-certificate': 'Old certificate',
  redis: 'Redis cache',
  sftp: 'SFTP access',
  snapshot: 'Snapshot',
  migration: 'Move',
  'moved-database': 'Database, moved',
  'moved-database-user': 'Database account, moved',
  'old-database': 'Old database',
  'old-database-user': 'Old database account',
  'old-system-user': 'Old system user',
  'old-document-root': 'Old document root',
  'old-php-pool': 'Old PHP pool',
  'old-nginx-site': 'Old nginx site',
  'old-apache-site': 'Old Apache site',
  packages: 'Packages',
  mariadb: 'MariaDB',
  trash: 'Trash',
  website: 'Website',
}

/** A piece of a website on a machine, with what was last done to it. */
export const Resource = z.object({
  websiteId: z.int(),
  domain: z.string(),
  resourceType: z.string(),
  resourceId: z.int(),
  title: z.string(),
  name: z.string(),
  serverId: z.int().nullable(),
  serverName: z.string().nullable(),
  detail: z.string(),
  status: z.string(),
  workflowId: z.int().nullable(),
  blocks: z.array(z.string()),
  action: Action.nullable(),
})
export type Resource = z.output<typeof Resource>

/** Actions that stopped with the same words, names and numbers apart. */
export const StoppedGroup = z.object({
  /** What `retryStopped` takes. */
  key: z.string(),
  name: z.string(),
  title: z.string(),
  reason: z.string(),
  count: z.int(),
  examples: z.array(z.object({ websiteId: z.int(), domain: z.string() })),
  firstAt: instant.nullable(),
  lastAt: instant.nullable(),
})
export type StoppedGroup = z.output<typeof StoppedGroup>

/** What became of one of many: `error` says why it was not begun. */
export const RetryResult = z.object({
  actionId: z.int(),
  websiteId: z.int(),
  domain: z.string(),
  error: z.string().nullable(),
})
export type RetryResult = z.output<typeof RetryResult>

/** What a new website gets with it. */
export const siteCertificate = z.enum(['lets-encrypt', 'self-signed'])

export const websiteFields = {
  originServer: id,
  domain,
  /** The owner. */
  userId: id,
  excludeActions: z.array(z.string().max(64)).max(50).optional(),
  /** By id or name. */
  plan: z.union([z.int().min(1).max(2_147_483_647), line(80)]),
  groupId: id.optional(),
  systemUser: username.optional(),
  phpVersion: phpVersion.optional(),
  websiteEnvironment: environment.optional(),
  /** With a MariaDB database of its own; whoever asks needs `database:database:create` as well. */
  database: z.boolean().optional(),
  /** Its names lead to its server, in whichever zone of ours they lie; whoever asks needs `dns:record:update` as well. */
  dns: z.boolean().optional(),
  /** Answers over https from the first visitor on; whoever asks needs `ssl:cert:create` as well. */
  certificate: siteCertificate.optional(),
}

export const websites = {
  list: get('/websites', 'website:website:read', {
    summary: 'Websites: of a server, by ids, or by filters',
    query: {
      ...listQuery(['createdAt', 'domain', 'updatedAt'], 25),
      server: filter(csv(id)),
      domain: filter(z.string().trim().max(253)),
      userid: filter(csv(id)),
      status: filter(csv(websiteStatus)),
      ids: z.preprocess((v) => v, csv(id).optional()),
      plan: filter(csv(id)),
      phpVersion: filter(csv(phpVersion)),
      kind: filter(csv(websiteKind)),
      parent: filter(id),
    },
    returns: z.object({ Websites: z.array(Website), ...pageFields }),
  }),
  one: get('/websites/:id', 'website:website:read', { summary: 'One website', returns: Website }),
  create: post('/websites', 'website:website:create', {
    summary: 'Create a website on a server',
    body: websiteFields,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  plan: post('/websites/plan', 'website:website:create', {
    summary: 'What creating it would run, and what is wrong with it; nothing is written',
    effect: 'read',
    status: 200,
    body: {
      originServer: id.optional(),
      domain: z.string().max(253).optional(),
      userId: id.optional(),
      plan: z.union([z.int().min(1).max(2_147_483_647), line(80)]).optional(),
      systemUser: z.string().max(40).optional(),
      phpVersion: phpVersion.optional(),
      database: z.boolean().optional(),
      dns: z.boolean().optional(),
      certificate: siteCertificate.optional(),
    },
    returns: z.object({
      actions: z.array(PlannedAction),
      problems: z.record(z.string(), z.string()),
      username: z.string().nullable(),
      reused: z.boolean(),
      documentRoot: z.string().nullable(),
      /** The zone of ours that its name lies in, and what leads the name elsewhere now. */
      zone: z.object({ domain: z.string(), now: z.array(z.string()) }).nullable(),
    }),
  }),
  creations: get('/websites/:id/creations', 'website:website:read', {
    summary: 'Its creation workflows, newest first',
    returns: z.object({ items: z.array(WorkflowWithActions), total: z.int() }),
  }),
  deletions: get('/websites/:id/deletions', 'website:website:read', {
    summary: 'Its deletion workflows, newest first',
    returns: z.object({ items: z.array(WorkflowWithActions), total: z.int() }),
  }),
  remove: del('/websites/:id', 'website:website:delete', {
    summary: 'Delete a website; its files are kept in the trash of its server',
    body: { version, excludeActions: filter(csv(z.string().max(64))) },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  restore: post('/websites/:id/restore', 'website:trash:restore', {
    summary: 'Bring a deleted website back out of the trash, with its files, account and logs',
    body: { version },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  purge: del('/websites/:id/trash', 'website:trash:purge', {
    summary: 'Take a deleted website away for good, before its time',
    /** Its domain, as whoever asks has typed it. */
    body: { version, domain: servedName },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  status: patch('/websites/:id', 'website:website:status', {
    summary: 'Active or suspended',
    body: { status: z.enum(['active', 'suspended']), reason: line(300).optional(), version },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  php: patch('/websites/:id/php', 'vhost:origin:php', {
    summary: 'Move a website to another PHP of its server',
    body: { phpVersion, version },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  toggles: get('/websites/:id/toggles', 'website:website:read', { summary: 'What is switched on', returns: Toggles }),
  logLines: get('/websites/:id/log-lines', 'website:website:read', {
    summary: 'The last lines of its own access or error log, asked of its server now, oldest first',
    live: true,
    query: { kind: filter(z.enum(['access', 'error'])), lines: filter(whole(1, 500)) },
    returns: z.object({ lines: z.array(z.string()), at: instant }),
  }),
  retry: patch('/websites/:id/retry', 'website:website:retry', {
    summary: 'Go on with a failed website',
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  retryAction: patch('/websites/:id/retry/:resourceType/:action', 'website:website:retry-action', {
    summary: 'Retry a single action; by its name or id',
    params: { id, resourceType: z.string().max(64), action: z.string().max(64) },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  orchestrator: get('/websites/:id/orchestrator', 'website:website:read', {
    summary: 'Its resources with what was last done to each',
    returns: z.object({ items: z.array(Resource), total: z.int() }),
  }),
  resource: get('/websites/:id/orchestrator/:type/:resource', 'website:website:read', {
    summary: 'One resource with all that was done to it',
    params: { id, type: z.string().max(64), resource: id },
    returns: Resource.extend({ actions: z.array(Action) }),
  }),
  updateAction: patch('/websites/:id/orchestrator/:resource/actions/:action', 'website:orchestrator:update', {
    summary: 'Retry, retry from here, skip, mark done or roll back',
    params: { id, resource: z.string().max(64), action: z.string().max(64) },
    body: actionUpdate,
    returns: WorkflowWithActions,
  }),
  resources: get('/website-orchestrator/resources', 'website:website:read', {
    summary: 'Resources over all websites, those that want somebody first',
    query: {
      ...listQuery(['startedAt']),
      domain: filter(z.string().trim().max(253)),
      resourceType: filter(csv(z.string().max(64))),
      status: filter(csv(z.string().max(20))),
      server: filter(csv(id)),
    },
    returns: z.object({ items: z.array(Resource), ...pageFields }),
  }),
  stopped: get('/website-orchestrator/errors', 'website:website:read', {
    summary: 'What stops websites: their failed actions by error, most first, 100 groups at most',
    query: { server: filter(csv(id)), resourceType: filter(csv(z.string().max(64))) },
    returns: z.object({ items: z.array(StoppedGroup), total: z.int() }),
  }),
  retryStopped: post('/website-orchestrator/errors/:key/retry', 'website:website:retry-action', {
    summary: 'Retry all that stopped with one error, 500 at most; answers what became of each',
    params: { key: z.string().regex(/^[0-9a-f]{32}$/, 'The key of a group') },
    body: { server: filter(csv(id)) },
    status: 200,
    returns: z.object({ items: z.array(RetryResult), begun: z.int(), refused: z.int() }),
  }),
}
