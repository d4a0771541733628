import type { Good } from '../../../test/hostile/good.ts'

export const archiveImports: Good<'archiveImports'> = {
  look: ({ id }) => ({ serverId: id('servers', 'web-1'), path: '/backup/alice.tar' }),
  start: ({ id }) => ({
    id: id('archive_imports', '/backup/ready.tar'),
    userId: id('owners', { name: 'Kari' }),
    plan: 1,
  }),
  accept: ({ id }) => ({ id: id('archive_imports', '/backup/verified.tar') }),
  rollBack: ({ id }) => ({ id: id('archive_imports', '/backup/verified.tar') }),
  cutOver: ({ id }) => ({ id: id('archive_imports', '/backup/verified.tar'), watch: true }),
  remove: ({ id }) => ({ id: id('archive_imports', '/backup/bad.tar') }),
}
