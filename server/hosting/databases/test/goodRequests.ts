import type { Good } from '../../../test/hostile/good.ts'

export const databases: Good<'databases'> = {
  create: ({ id }) => ({ websiteId: id('websites', { kind: 'staging' }), username: 'web' }),
  update: ({ id }) => ({ id: id('databases', 'shop'), name: 'shop_two' }),
  remove: ({ id }) => ({ id: id('databases', 'shop'), name: 'shop' }),
  restore: ({ id }) => ({ id: id('databases', 'attic') }),
  createUser: ({ id }) => ({
    websiteId: id('websites', 'active.example.org'),
    username: 'reader',
    databases: [{ id: id('databases', 'shop'), privileges: 'read' }],
  }),
  openLogin: ({ id }) => ({ id: id('databases', 'shop'), reason: 'Ticket 4711' }),
  updateUser: ({ id }) => ({ id: id('database_users'), locked: true }),
  removeUser: ({ id }) => ({ id: id('database_users') }),
  restoreUser: ({ id }) => ({ id: id('database_users', 'former') }),
  reveal: ({ id }) => ({ id: id('database_users') }),
  rotate: ({ id }) => ({ id: id('database_users') }),
  dismiss: ({ id }) => ({ id: id('workflows', { kind: 'database.create' }) }),
  lookAtDump: ({ id }) => ({ id: id('databases', 'shop'), path: 'dump.sql' }),
  importDump: ({ id }) => ({ id: id('database_imports', { status: 'ready' }), name: 'shop' }),
  revertImport: ({ id }) => ({ id: id('database_imports', { status: 'done' }), name: 'shop' }),
  discardImport: ({ id }) => ({ id: id('database_imports', { status: 'ready' }) }),
  exportDump: ({ id }) => ({ id: id('databases', 'shop') }),
  exportTicket: ({ id }) => ({ id: id('database_exports', { status: 'ready' }) }),
  discardExport: ({ id }) => ({ id: id('database_exports', { status: 'ready' }) }),
  replace: ({ id }) => ({
    id: id('websites', 'active.example.org'),
    from: 'http://old.example',
    to: 'https://new.example',
  }),
  putBack: ({ id }) => ({ id: id('database_replacements', { status: 'replaced' }) }),
  dismissAll: {},
}
