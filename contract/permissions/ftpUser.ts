export const ftpUser = {
  'ftp-user:user:create': 'Create FTP users',
  'ftp-user:user:update': 'Change FTP users',
  'ftp-user:user:delete': 'Delete FTP users',
  'ftp-user:user:read': 'See FTP users',
} as const satisfies Record<`ftp-user:${string}:${string}`, string>
