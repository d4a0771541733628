import type { Good } from '../hostile/good.ts'

export const databases: Good<'databases'> = {
  create: ({ id }) => ({ websiteId: id('websites', { kind: 'staging' }), username: 'web' }),
  remove: ({ id }) => ({ id: id('databases', 'shop'), name: 'shop' }),
  restore: ({ id }) => ({ id: id('databases', 'attic') }),
  reveal: ({ id }) => ({ id: id('database_users') }),
  rotate: ({ id }) => ({ id: id('database_users') }),
}
