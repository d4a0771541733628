import { type Domain, item, screen } from '../../domain.ts'
import { isHosted } from '../websites/page/section.ts'

const list = { scope: 'ftp-user:user:read', title: 'FTP users' } as const

export const ftpUsers = {
  screens: [
    screen('/ftp-users', list, () => import('./FtpUsersScreen.tsx')),
    screen('/ftp-users/list', list, () => import('./FtpUsersScreen.tsx')),
    screen(
      '/ftp-users/create',
      { scope: 'ftp-user:user:create', needs: ['website:website:read'], title: 'Create FTP user', about: ['website'] },
      () => import('./FtpUserCreateScreen.tsx'),
    ),
    screen(
      '/ftp-users/edit/$ftpUserId',
      { scope: 'ftp-user:user:update', needs: ['ftp-user:user:read'], title: 'FTP user' },
      () => import('./FtpUserEditScreen.tsx'),
    ),
  ],
  area: 'Hosting',
  menu: [item(57, 'FTP users', '/ftp-users/list', 'ftp-user:user:read', ['/ftp-users'])],
  subjects: {
    'ftp-user': (id) => `/ftp-users/edit/${id}`,
  },
  sections: [
    {
      at: 20,
      name: 'ftp',
      tab: 'access',
      load: () => import('./FtpUsersOfSite.tsx'),
      reads: 'ftp-user:user:read',
      when: isHosted,
    },
  ],
} satisfies Domain
