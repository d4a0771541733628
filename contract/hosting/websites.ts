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
} from '../kit/endpoint.ts'
import { domain, phpVersion, servedName, username } from '../kit/values.ts'
import { Action, actionUpdate, WorkflowWithActions } from '../machines/workflows.ts'
import { Health, healthState } from './monitoring.ts'
import { extensionList } from './phpExtensions.ts'

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
  /** The parent website of a sub-website, an alias or a staging copy. */
  parentId: z.int().nullable(),
  parentDomain: z.string().nullable(),
  /** The domain in its own letters, if different: `blåbær.example`. */
  unicode: z.string().nullable(),
  /** For an alias: whether it serves or redirects. `until`: for a former name, when it ends. */
  mode: z.enum(['serve', 'redirect']).nullable(),
  until: instant.nullable(),
  documentRoot: z.string(),
  phpVersion: z.string(),
  toggles: Toggles,
  /** Result of requests by another machine; null for a website that is not served or not monitored. */
  health: Health.nullable(),
  /** The running or failed workflow. */
  workflowId: z.int().nullable(),
  /** When the website was deleted, and when the trash deletes it permanently. */
  deletedAt: instant.nullable(),
  purgeAfter: instant.nullable(),
})
export type Website = z.output<typeof Website>

/** A website in a list, with the fields that lists and their menus need. The call `one` answers all fields. */
export const WebsiteRow = Website.omit({
  ...{ systemUserId: true, planId: true, parentId: true, mode: true, documentRoot: true },
  ...{ toggles: true, workflowId: true, deletedAt: true },
})
export type WebsiteRow = z.output<typeof WebsiteRow>

/** An action of a plan, as shown beside the form and then stored unchanged with the workflow. */
export const PlannedAction = z.object({
  name: z.string(),
  title: z.string(),
  what: z.string(),
  serverName: z.string().nullable(),
  /** True: `excludeActions` may leave out the action. */
  optional: z.boolean(),
})
export type PlannedAction = z.output<typeof PlannedAction>

/** Labels of the parts of a website, by the `resourceType` of actions. */
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
  'restored-database': 'Restored database',
  'restored-database-user': 'Restored database account',
  'ftp-user': 'FTP user',
  ftp: 'FTP service',
  'ftp-package': 'FTP package',
  mailbox: 'Mail domain',
  'mailbox-key': 'DKIM key',
  'mailbox-certificate': 'Certificate of the mail host',
  'mailbox-user': 'Mailbox',
  packages: 'Packages',
  ...{ nginx: 'nginx', apache: 'Apache', 'php-fpm': 'PHP', powerdns: 'PowerDNS', 'nginx-cache': 'Cache of nginx' },
  ...{ mariadb: 'MariaDB', postgresql: 'PostgreSQL', rspamd: 'rspamd', restic: 'restic', vhost: 'Virtual host' },
  trash: 'Trash',
  website: 'Website',
}

/** The label of a type of resource. A type without a label gets its own name: `name-server` is "Name server". */
export const resourceTitle = (type: string): string =>
  resourceTitles[type] ?? `${type[0]?.toUpperCase() ?? ''}${type.slice(1).replaceAll('-', ' ')}`

/** A part of a website on a server, with its last action. */
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

/** A resource in the list of all websites, with the shown fields of its last action. */
export const ResourceRow = Resource.extend({
  action: Action.pick({
    ...{ id: true, name: true, title: true, status: true, attempt: true, reason: true },
    ...{ readyAt: true, startedAt: true, endedAt: true },
  }).nullable(),
})
export type ResourceRow = z.output<typeof ResourceRow>

/** Failed actions with the same error, apart from names and numbers. */
export const StoppedGroup = z.object({
  /** Parameter of `retryStopped`. */
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

/** Result for one of many objects; `error` says why nothing was started. */
export const RetryResult = z.object({
  actionId: z.int(),
  websiteId: z.int(),
  domain: z.string(),
  error: z.string().nullable(),
})
export type RetryResult = z.output<typeof RetryResult>

/** Certificate of a new website. */
export const siteCertificate = z.enum(['lets-encrypt', 'self-signed'])

export const websiteFields = {
  originServer: id,
  domain,
  /** Owner id. */
  userId: id,
  excludeActions: z.array(z.string().max(64)).max(50).optional(),
  /** Server, by id or name. */
  plan: z.union([z.int().min(1).max(2_147_483_647), line(80)]),
  groupId: id.optional(),
  systemUser: username.optional(),
  phpVersion: phpVersion.optional(),
  /** PHP extensions that differ from those of the server. They require `vhost:origin:php` too. */
  extensionsOn: extensionList.optional(),
  extensionsOff: extensionList.optional(),
  websiteEnvironment: environment.optional(),
  /** Also creates a MariaDB database. Requires `database:database:create` too. */
  database: z.boolean().optional(),
  /** Also creates its mail domain, without mailboxes. Requires `mailbox:mailbox:create` too. */
  mail: z.boolean().optional(),
  /** Also creates records in Innkeeper's zone that contains the name. Requires `dns:record:update` too. */
  dns: z.boolean().optional(),
  /** Also installs a certificate before the first visitor. Requires `ssl:cert:create` too. */
  certificate: siteCertificate.optional(),
}

export const websites = {
  list: get('/websites', 'website:website:read', {
    summary: 'Websites by server, ids or filters',
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
      health: filter(csv(healthState)),
      parent: filter(id),
    },
    returns: z.object({ Websites: z.array(WebsiteRow), ...pageFields }),
  }),
  one: get('/websites/:id', 'website:website:read', { summary: 'One website', returns: Website }),
  create: post('/websites', 'website:website:create', {
    summary: 'Create a website on a server',
    body: websiteFields,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  plan: post('/websites/plan', 'website:website:create', {
    summary: 'Preview a new website: actions and problems',
    effect: 'read',
    status: 200,
    body: {
      originServer: id.optional(),
      domain: z.string().max(253).optional(),
      userId: id.optional(),
      plan: z.union([z.int().min(1).max(2_147_483_647), line(80)]).optional(),
      systemUser: z.string().max(40).optional(),
      phpVersion: phpVersion.optional(),
      extensionsOn: extensionList.optional(),
      extensionsOff: extensionList.optional(),
      database: z.boolean().optional(),
      mail: z.boolean().optional(),
      dns: z.boolean().optional(),
      certificate: siteCertificate.optional(),
    },
    returns: z.object({
      actions: z.array(PlannedAction),
      problems: z.record(z.string(), z.string()),
      username: z.string().nullable(),
      reused: z.boolean(),
      documentRoot: z.string().nullable(),
      /** Innkeeper's zone that contains the name, and records that currently point the name elsewhere. */
      zone: z.object({ domain: z.string(), now: z.array(z.string()) }).nullable(),
    }),
  }),
  leftOut: get('/websites/:id/left-out', 'website:website:read', {
    summary:
      'What a website has that does not come along into a backup, a new website from it, a staging copy or a move',
    returns: z.object({
      backup: z.array(z.string()),
      newWebsite: z.array(z.string()),
      copy: z.array(z.string()),
      move: z.array(z.string()),
    }),
  }),
  creations: get('/websites/:id/creations', 'website:website:read', {
    summary: 'Creation workflows of a website, newest first',
    returns: z.object({ items: z.array(WorkflowWithActions), total: z.int() }),
  }),
  deletions: get('/websites/:id/deletions', 'website:website:read', {
    summary: 'Deletion workflows of a website, newest first',
    returns: z.object({ items: z.array(WorkflowWithActions), total: z.int() }),
  }),
  remove: del('/websites/:id', 'website:website:delete', {
    summary: 'Delete a website; the trash of its server keeps the files',
    body: { version, excludeActions: filter(csv(z.string().max(64))) },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  restore: post('/websites/:id/restore', 'website:trash:restore', {
    summary: 'Restore a deleted website with files, account and logs from the trash',
    body: { version },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  purge: del('/websites/:id/trash', 'website:trash:purge', {
    summary: 'Delete a website in the trash permanently',
    /** Confirmation: the domain as the person typed it. */
    body: { version, domain: servedName },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  status: patch('/websites/:id', 'website:website:status', {
    summary: 'Activate or suspend a website',
    body: { status: z.enum(['active', 'suspended']), reason: line(300).optional(), version },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  php: patch('/websites/:id/php', 'vhost:origin:php', {
    summary: 'Change the PHP version of a website',
    body: { phpVersion, version },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  toggles: get('/websites/:id/toggles', 'website:website:read', {
    summary: 'Features that are turned on',
    returns: Toggles,
  }),
  logLines: get('/websites/:id/log-lines', 'website:website:read', {
    summary: 'Last lines of the access or error log, read from the server now, oldest first',
    live: true,
    query: { kind: filter(z.enum(['access', 'error'])), lines: filter(whole(1, 500)) },
    returns: z.object({ lines: z.array(z.string()), at: instant }),
  }),
  retry: patch('/websites/:id/retry', 'website:website:retry', {
    summary: 'Retry a failed website',
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  retryAction: patch('/websites/:id/retry/:resourceType/:action', 'website:website:retry-action', {
    summary: 'Retry a single action by name or id',
    params: { id, resourceType: z.string().max(64), action: z.string().max(64) },
    status: 202,
    returns: z.object({ data: Website, workflowId: z.int() }),
  }),
  orchestrator: get('/websites/:id/orchestrator', 'website:website:read', {
    summary: 'Resources of a website with their last actions',
    returns: z.object({ items: z.array(Resource), total: z.int() }),
  }),
  resource: get('/websites/:id/orchestrator/:type/:resource', 'website:website:read', {
    summary: 'One resource with all its actions',
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
    summary: 'Resources of all websites, failed ones first',
    query: {
      ...listQuery(['startedAt']),
      domain: filter(z.string().trim().max(253)),
      resourceType: filter(csv(z.string().max(64))),
      status: filter(csv(z.string().max(20))),
      server: filter(csv(id)),
    },
    returns: z.object({ items: z.array(ResourceRow), ...pageFields }),
  }),
  stopped: get('/website-orchestrator/errors', 'website:website:read', {
    summary: 'Failed actions of websites grouped by error, most frequent first; at most 100 groups',
    query: { server: filter(csv(id)), resourceType: filter(csv(z.string().max(64))) },
    returns: z.object({ items: z.array(StoppedGroup), total: z.int() }),
  }),
  retryStopped: post('/website-orchestrator/errors/:key/retry', 'website:website:retry-action', {
    summary: 'Retry all actions that failed with one error, at most 500; answers the result of each',
    params: { key: z.string().regex(/^[0-9a-f]{32}$/, 'The key of a group') },
    body: { server: filter(csv(id)) },
    status: 200,
    returns: z.object({ items: z.array(RetryResult), begun: z.int(), refused: z.int() }),
  }),
}
