import * as z from 'zod'
import { ExtensionHere } from '../../hosting/phpExtensions.ts'
import { phpChange } from '../../hosting/phpParameters.ts'
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
  version,
} from '../../kit/endpoint.ts'
import { phpVersion } from '../../kit/values.ts'
import { webServer } from '../../machines/servers/shapes.ts'
import { WorkflowWithActions } from '../../machines/workflows.ts'
import { ruleText } from '../ownRules/shapes.ts'
import { application } from './applications.ts'
import { FileDiff, OriginVhost, PhpModule, PhpParameter, phpModuleName, WebsiteRules } from './shapes.ts'

const wanted = { phpModule: phpModuleName.optional(), phpParameters: phpChange.optional() }
const started = z.object({ data: OriginVhost, workflowId: z.int().nullable() })
/** Maximum number of websites in one change. */
export const MOST_AT_ONCE = 200

export const originVhosts = {
  list: get('/origin-vhost/vhosts', 'vhost:origin:read', {
    summary: 'Origin vhosts of websites with their PHP parameters',
    query: {
      ...listQuery(['domain', 'createdAt', 'updatedAt']),
      search: filter(z.string().trim().max(253)),
      server: filter(csv(id)),
      webServer: filter(csv(webServer)),
      phpVersion: filter(csv(phpVersion)),
      own: filter(z.enum(['true', 'false'])),
      seen: filter(csv(z.enum(['same', 'differs']))),
    },
    returns: pageOf(OriginVhost),
  }),
  one: get('/origin-vhost/vhosts/:id', 'vhost:origin:read', { summary: 'One origin vhost', returns: OriginVhost }),
  create: post('/origin-vhost/vhosts', 'vhost:origin:create', {
    summary: 'Set PHP parameters, version and wildcard of a website',
    body: { websiteId: id, ...wanted, wildcard: z.boolean().optional() },
    returns: started,
  }),
  update: patch('/origin-vhost/vhosts/:id', 'vhost:origin:update', {
    summary: 'Change an origin vhost',
    body: { ...wanted, wildcard: z.boolean().optional(), version },
    status: [200, 202],
    returns: started,
  }),
  remove: del('/origin-vhost/vhosts/:id', 'vhost:origin:delete', {
    summary: 'Remove the PHP parameters and wildcard of a website',
    body: { version },
    status: 202,
    returns: started,
  }),
  php: patch('/origin-vhost/vhosts/:id/php', 'vhost:origin:php', {
    summary: 'Change PHP version and parameters of a website; null resets a parameter',
    body: { ...wanted, version },
    status: [200, 202],
    returns: started,
  }),
  phpOfMany: patch('/origin-vhost/php', 'vhost:origin:php', {
    summary: 'Change PHP of many websites; the others follow after the first website works',
    body: {
      ids: z.array(id).min(1).max(MOST_AT_ONCE),
      ...wanted,
      /** True: pauses after the first website until a person resumes or rolls back. */
      wait: z.boolean().optional(),
    },
    status: [200, 202],
    /** `order`: websites in the order of the change; `same`: websites that need no change. */
    returns: z.object({ workflowId: z.int().nullable(), order: z.array(z.string()), same: z.int() }),
  }),
  wildcard: patch('/origin-vhost/vhosts/:id/wildcard', 'vhost:origin:wildcard', {
    summary: 'Turn the wildcard of a website on or off',
    body: { wildcard: z.boolean(), version },
    status: [200, 202],
    returns: started,
  }),
  rules: get('/origin-vhost/vhosts/:id/rules', 'vhost:origin:read', {
    summary: 'Rules of a website: the application, and own rules of staff with their former versions',
    returns: WebsiteRules,
  }),
  findApplication: get('/origin-vhost/vhosts/:id/application', 'vhost:origin:read', {
    summary: 'The application that lies in the folder of a website, read from the server now',
    live: true,
    returns: z.object({ found: application.nullable(), at: instant }),
  }),
  setRules: patch('/origin-vhost/vhosts/:id/rules', 'vhost:origin:rules', {
    summary: 'Choose the application of a website, and write own rules; the web server checks them first',
    effect: 'stream', // the server asks the web server before its transaction
    body: {
      /** Null: the application that is found. */
      application: application.nullable().optional(),
      nginx: ruleText.optional(),
      apache: ruleText.optional(),
      note: line(300).optional(),
      version,
    },
    status: [200, 202],
    returns: started,
  }),
  diff: post('/origin-vhost/vhosts/:id/diff', 'vhost:origin:read', {
    summary:
      'Preview the files that a change would write, read from the server now; without changes, the drift of the server',
    effect: 'read',
    live: true,
    status: 200,
    body: wanted,
    returns: z.object({ files: z.array(FileDiff), at: instant }),
  }),
  extensions: get('/origin-vhost/vhosts/:id/extensions', 'vhost:origin:read', {
    summary: 'Extensions that the server of a website has for a PHP module, read from the server now',
    live: true,
    query: { phpModule: filter(phpModuleName) },
    returns: z.object({ phpModule: z.string(), extensions: z.array(ExtensionHere), at: instant }),
  }),
  serverExtensions: get('/origin-vhost/servers/:id/extensions', 'vhost:origin:read', {
    summary: 'Extensions that a server has for a PHP module, read from the server now',
    live: true,
    query: { phpModule: phpModuleName },
    returns: z.object({ phpModule: z.string(), extensions: z.array(ExtensionHere), at: instant }),
  }),
  ofWebsite: get('/origin-vhost/vhosts/websites/:id', 'vhost:origin:read', {
    summary: 'Origin vhosts of a website and its sub-websites',
    returns: z.object({ items: z.array(OriginVhost), total: z.int() }),
  }),
  runs: get('/origin-vhost/vhosts/:id/runs', 'vhost:origin:read', {
    summary: 'Changes of a vhost that are not dismissed, newest first',
    returns: z.object({ items: z.array(WorkflowWithActions), total: z.int() }),
  }),
  modules: get('/origin-vhost/php/modules', 'vhost:php-module:read', {
    summary: 'PHP versions with the servers that run them',
    returns: z.object({ items: z.array(PhpModule), total: z.int() }),
  }),
  addModule: post('/origin-vhost/php/modules', 'vhost:php-module:create', {
    summary: 'Add a PHP version and install it on servers',
    body: { name: phpModuleName, servers: z.array(id).max(100).optional() },
    returns: z.object({ data: PhpModule, workflowIds: z.array(z.int()) }),
  }),
  parameters: get('/origin-vhost/php/config-parameters', 'vhost:php-module:read', {
    summary: 'PHP parameters and their ranges',
    returns: z.object({ items: z.array(PhpParameter), total: z.int() }),
  }),
  dismiss: del('/origin-vhost/logs/:id', 'vhost:logs:delete', {
    summary: 'Dismiss an ended or stopped change; the action log keeps it',
    status: 204,
  }),
}
