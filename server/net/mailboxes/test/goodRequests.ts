import type { Good } from '../../../test/hostile/good.ts'

export const mailboxes: Good<'mailboxes'> = {
  create: ({ id }) => ({ domain: 'grouped.example.org', websiteId: id('websites', 'grouped.example.org') }),
  update: ({ id }) => ({ id: id('mailboxes', 'post.example.org'), catchAll: 'kari@post.example.org' }),
  toggle: ({ id }) => ({ id: id('mailboxes', 'post.example.org'), status: 'disabled', reason: 'Unpaid' }),
  apply: ({ id }) => ({ id: id('mailboxes', 'post.example.org') }),
  remove: ({ id }) => ({ id: id('mailboxes', 'post.example.org') }),
  move: ({ id }) => ({ id: id('mailboxes', 'post.example.org'), serverId: id('servers', 'mail-2') }),
  retire: ({ id }) => ({ id: id('mailboxes', 'moved.example.org') }),
  restore: ({ id }) => ({ id: id('mailboxes', 'gone.example.org') }),
  createUser: ({ id }) => ({ id: id('mailboxes', 'post.example.org'), localPart: 'lars', name: 'Lars' }),
  addCsv: ({ id }) => ({ id: id('mailboxes', 'post.example.org'), csv: 'address,name\nnora,Nora\n' }),
  importMail: ({ id }) => ({
    id: id('mailbox_users', 'kari@post.example.org'),
    ...{ host: 'imap.example.net', login: 'kari', password: 'the former password' },
  }),
  updateUser: ({ id }) => ({ id: id('mailbox_users', 'kari@post.example.org'), quotaMb: 500 }),
  removeUser: ({ id }) => ({ id: id('mailbox_users', 'kari@post.example.org') }),
  restoreUser: ({ id }) => ({ id: id('mailbox_users', 'former@post.example.org') }),
  newPassword: ({ id }) => ({ id: id('mailbox_users', 'kari@post.example.org') }),
  addAppPassword: ({ id }) => ({ id: id('mailbox_users', 'kari@post.example.org'), name: 'Phone' }),
  removeAppPassword: ({ id }) => ({ id: id('mailbox_users', 'kari@post.example.org'), key: id('mail_app_passwords') }),
  setAlias: ({ id }) => ({
    id: id('mailboxes', 'post.example.org'),
    localPart: 'sales',
    targets: ['kari@post.example.org'],
  }),
  removeAlias: ({ id }) => ({
    id: id('mailboxes', 'post.example.org'),
    alias: id('mail_aliases', 'info@post.example.org'),
  }),
  writeDns: ({ id }) => ({ id: id('mailboxes', 'post.example.org') }),
  newKey: ({ id }) => ({ id: id('mailboxes', 'post.example.org') }),
  signWith: ({ id }) => ({
    id: id('mailboxes', 'post.example.org'),
    key: id('mail_keys', { mailbox_id: id('mailboxes', 'post.example.org'), signs: false }),
  }),
}
