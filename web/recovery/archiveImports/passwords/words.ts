import type { NewPasswordKind } from '@innkeeper/contract/recovery/archiveImports/passwords'

export const accountKinds: Record<NewPasswordKind, string> = {
  mailbox: 'Mailbox',
  ftp: 'FTP user',
  database: 'Database account',
}
