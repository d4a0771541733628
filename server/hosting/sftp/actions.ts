import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

export const sftpEnsure = action('sftp.ensure', operations['sftp.ensure'], {
  title: 'SFTP',
  what: () => 'sshd confines website accounts to their files',
})
export const sftpAccessEnsure = action('sftp-access.ensure', operations['sftp-access.ensure'], {
  title: 'SFTP access',
  what: ({ state, keys, signInPassword: password }) =>
    state === 'active'
      ? [
          `${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`,
          ...(password === undefined ? [] : [password === null ? 'no password' : 'a new password']),
        ].join(', ')
      : 'nobody can sign in',
})
