import type { Good } from '../../../test/hostile/good.ts'

export const systemUsers: Good<'systemUsers'> = {
  create: ({ id }) => ({
    username: 'fresh',
    originServer: id('servers', 'web-3'),
    ownerId: id('owners', 'Kari'),
    planId: id('plans', 'Start'),
  }),
  update: ({ id }) => ({ id: id('system_users', 'passed'), status: 'suspended', reason: 'Not paid' }),
  plan: ({ id }) => ({ id: id('system_users', 'stopped'), planId: id('plans', 'Business') }),
  remove: ({ id }) => ({ id: id('system_users', 'spare') }),
  dismiss: ({ id }) => ({ id: id('workflows', 'system-user.create') }),
}
