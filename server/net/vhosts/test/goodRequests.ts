import type { Good, Rows } from '../../../test/hostile/good.ts'

const vhost = (id: Rows['id'], domain: string) => id('vhosts', { website_id: id('websites', domain) })

export const vhosts: Good<'vhosts'> = {
  create: { domain: 'grouped.example.org', cdn: true },
  remove: ({ id }) => ({ id: vhost(id, 'edged.example.org') }),
  clear: ({ id }) => ({ id: vhost(id, 'twice.example.org') }),
  rules: ({ id }) => ({
    ...{ id: vhost(id, 'edged.example.org') },
    rules: { headers: [{ name: 'X-Frame-Options', value: 'DENY' }] },
  }),
  enableXdn: ({ id }) => ({ id: vhost(id, 'edged.example.org') }),
  disableXdn: ({ id }) => ({ id: vhost(id, 'twice.example.org') }),
  enableCdn: ({ id }) => ({ id: vhost(id, 'twice.example.org') }),
  disableCdn: ({ id }) => ({ id: vhost(id, 'edged.example.org') }),
  resync: {},
}

export const originVhosts: Good<'originVhosts'> = {
  create: ({ id }) => ({ websiteId: id('websites', { kind: 'staging' }), wildcard: true }),
  update: ({ id }) => ({ id: id('websites', { kind: 'staging' }), wildcard: true }),
  remove: ({ id }) => ({ id: id('websites', 'active.example.org') }),
  php: ({ id }) => ({ id: id('websites', 'suspended.example.org'), phpParameters: { memory_limit: 64 } }),
  setRules: ({ id }) => ({ id: id('websites', 'suspended.example.org'), application: 'wordpress' }),
  phpOfMany: ({ id }) => ({
    ids: [id('websites', 'active.example.org'), id('websites', 'suspended.example.org')],
    phpParameters: { memory_limit: 64 },
  }),
  wildcard: ({ id }) => ({ id: id('websites', 'active.example.org'), wildcard: true }),
  addModule: ({ id }) => ({ name: 'php8.1', servers: [id('servers', 'web-1')] }),
  dismiss: ({ id }) => ({ id: id('workflows', 'website.origin-vhost') }),
}
