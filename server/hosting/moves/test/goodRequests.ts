import type { Good } from '../../../test/hostile/good.ts'

export const moves: Good<'moves'> = {
  create: ({ id }) => ({ id: id('websites', 'renamed.example.org'), targetServerId: id('servers', 'web-3') }),
  update: ({ id }) => ({ id: id('website_migrations', 'moving.example.org'), want: 'pause' }),
  updateAction: ({ id }) => ({
    id: id('website_migrations', 'moving.example.org'),
    action: 'document-root.ensure',
    actionType: 'rollback',
    reason: 'Not today',
  }),
  group: ({ id }) => ({
    id: id('website_groups'),
    originServerSource: id('servers', 'web-1'),
    originServerTarget: id('servers', 'web-3'),
  }),
}
