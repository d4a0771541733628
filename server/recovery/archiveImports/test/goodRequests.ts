import type { Good } from '../../../test/hostile/good.ts'
import { PASSWORD_LINK } from '../../../test/hostile/world/archives.ts'

export const archiveImports: Good<'archiveImports'> = {
  look: ({ id }) => ({ serverId: id('servers', 'web-1'), path: '/backup/alice.tar' }),
  start: ({ id }) => ({
    id: id('archive_imports', '/backup/ready.tar'),
    userId: id('owners', { name: 'Kari' }),
    plan: 1,
  }),
  accept: ({ id }) => ({ id: id('archive_imports', '/backup/verified.tar') }),
  pause: ({ id }) => ({ id: id('archive_imports', '/backup/running.tar') }),
  resume: ({ id }) => ({ id: id('archive_imports', '/backup/paused.tar') }),
  rollBack: ({ id }) => ({ id: id('archive_imports', '/backup/verified.tar') }),
  cutOver: ({ id }) => ({ id: id('archive_imports', '/backup/verified.tar'), watch: true }),
  fetchLate: ({ id }) => ({
    id: id('archive_imports', '/backup/late.tar'),
    ...{ host: 'imap.old.example', login: '%u*master', password: 'of the former server' },
    until: new Date(Date.now() + 86_400_000).toISOString(),
  }),
  stopLate: ({ id }) => ({ id: id('archive_imports', '/backup/late.tar') }),
  makeLinks: ({ id }) => ({
    id: id('archive_imports', '/backup/late.tar'),
    passwordIds: [id('new_passwords', { made_by: null })],
    days: 3,
  }),
  revokeLink: ({ id }) => ({
    id: id('archive_imports', '/backup/late.tar'),
    key: id('new_passwords', { made_by: 'keeper' }),
  }),
  openLink: () => ({ link: PASSWORD_LINK }),
  remove: ({ id }) => ({ id: id('archive_imports', '/backup/bad.tar') }),
}
