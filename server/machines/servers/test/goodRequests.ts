import type { Good } from '../../../test/hostile/good.ts'

export const servers: Good<'servers'> = {
  create: { name: 'fresh-1', type: 'all-in-one', address: '10.77.9.9', acceptsNew: true, webServer: 'apache' },
  updateServices: { type: 'xdn', services: ['nginx'] },
  remove: ({ id }) => ({ id: id('servers', 'empty-1') }),
  status: ({ id }) => ({ id: id('servers', 'web-1'), status: 'up' }),
  update: ({ id }) => ({ id: id('servers', 'xdn-1'), name: 'xdn-2', address: '10.77.1.33', type: 'xdn' }),
  enrol: ({ id }) => ({ id: id('servers', 'web-1') }),
  revoke: ({ id }) => ({ id: id('servers', 'web-1') }),
  provision: ({ id }) => ({ id: id('servers', 'web-1') }),
  repair: ({ id }) => ({ id: id('servers', 'web-3'), service: 'nginx' }),
  addPhp: ({ id }) => ({ id: id('servers', 'web-2'), phpVersion: '8.2' }),
  updateAgent: ({ id }) => ({ id: id('servers', 'web-2') }),
  updateAgents: ({ id }) => ({ ids: [id('servers', 'web-2')] }),
}
