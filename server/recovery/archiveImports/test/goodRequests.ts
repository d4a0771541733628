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
  fetchLate: ({ id }) => ({
    id: id('archive_imports', '/backup/late.tar'),
    ...{ host: 'imap.old.example', login: '%u*master', password: 'of the former server' },
    until: new Date(Date.now() + 86_400_000).toISOString(),
  }),
  stopLate: ({ id }) => ({ id: id('archive_imports', '/backup/late.tar') }),
  remove: ({ id }) => ({ id: id('archive_imports', '/backup/bad.tar') }),
}
