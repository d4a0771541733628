import type { Good } from '../../../test/hostile/good.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f lars@desk'

export const sftp: Good<'sftp'> = {
  update: ({ id }) => ({ id: id('system_users', 'active'), on: true }),
  addKey: ({ id }) => ({ id: id('system_users', 'reached'), key: KEY, comment: 'lars@desk' }),
  removeKey: ({ id }) => ({ id: id('system_users', 'reached'), key: id('sftp_keys') }),
  setPassword: ({ id }) => ({ id: id('system_users', 'reached') }),
  removePassword: ({ id }) => ({ id: id('system_users', 'reached') }),
}
