import { createHash } from 'node:crypto'
import type { Good } from '../../../test/hostile/good.ts'

const FAILED = { name: 'nginx-site.ensure', status: 'failed' }

export const websites: Good<'websites'> = {
  create: ({ id }) => ({
    originServer: id('servers', 'web-1'),
    domain: 'fresh.example.org',
    userId: id('owners', 'Kari'),
    plan: id('plans', 'Business'),
    phpVersion: '8.2',
    certificate: 'self-signed',
  }),
  remove: ({ id }) => ({ id: id('websites', 'active.example.org') }),
  restore: ({ id }) => ({ id: id('websites', 'trashed.example.org') }),
  purge: ({ id }) => ({ id: id('websites', 'trashed.example.org'), domain: 'trashed.example.org' }),
  status: ({ id }) => ({ id: id('websites', 'active.example.org'), status: 'suspended' }),
  php: ({ id }) => ({ id: id('websites', 'active.example.org'), phpVersion: '8.4' }),
  retry: ({ id }) => ({ id: id('websites', 'stopped.example.org') }),
  retryAction: ({ id }) => ({
    id: id('websites', 'broken.example.org'),
    resourceType: 'nginx-site',
    action: String(id('actions', FAILED)),
  }),
  updateAction: ({ id }) => ({
    id: id('websites', 'broken.example.org'),
    resource: 'nginx-site',
    action: 'nginx-site.ensure',
    actionType: 'retry',
  }),
  // the key of a group is the hash of its action and reason
  retryStopped: { key: createHash('md5').update('nginx-site.ensure the disk is full').digest('hex') },
}
