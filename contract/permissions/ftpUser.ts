export const ftpUser = {
  'ftp-user:user:create': 'Create FTP users',
  'ftp-user:user:update': 'Change FTP users',
  'ftp-user:user:delete': 'Delete FTP users',
  'ftp-user:user:read': 'See FTP users',
  'ftp-user:user:password': 'Set passwords of FTP users',
  'ftp-user:session:end': 'End FTP sessions',
  'ftp-user:server:update': 'Admit or refuse FTP without TLS',
} as const satisfies Record<`ftp-user:${string}:${string}`, string>
