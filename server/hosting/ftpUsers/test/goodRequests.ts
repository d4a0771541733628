import type { Good } from '../../../test/hostile/good.ts'

export const ftpUsers: Good<'ftpUsers'> = {
  create: ({ id }) => ({ websiteId: id('websites', 'grouped.example.org'), name: 'press' }),
  update: ({ id }) => ({ id: id('ftp_users'), folder: 'public/uploads' }),
  setPassword: ({ id }) => ({ id: id('ftp_users') }),
  remove: ({ id }) => ({ id: id('ftp_users') }),
  updateServer: ({ id }) => ({ server: id('ftp_servers'), plain: true }),
}
