import { type Domain, item, screen } from '../../domain.ts'
import { isHosted } from '../../hosting/websites/page/section.ts'

const list = { scope: 'mailbox:mailbox:read', title: 'Mail domains', words: 'e-mail' } as const

export const mailboxes = {
  screens: [
    screen('/mailboxes', list, () => import('./MailboxesScreen.tsx')),
    screen('/mailboxes/list', list, () => import('./MailboxesScreen.tsx')),
    screen(
      '/mailboxes/create',
      { scope: 'mailbox:mailbox:create', title: 'Create mail domain' },
      () => import('./MailboxCreateScreen.tsx'),
    ),
    screen(
      '/mailboxes/edit/$mailboxId',
      { scope: 'mailbox:mailbox:read', title: 'Mail domain' },
      () => import('./MailboxScreen.tsx'),
    ),
    screen(
      '/mailboxes/users/list',
      { scope: 'mailbox:mailbox:read', title: 'Mailboxes', words: 'e-mail' },
      () => import('./users/UsersScreen.tsx'),
    ),
    screen(
      '/mailboxes/senders',
      { scope: 'mailbox:queue:read', title: 'Outgoing mail' },
      () => import('./senders/SendersScreen.tsx'),
    ),
    screen(
      '/mailboxes/users/edit/$userId',
      { scope: 'mailbox:user:update', needs: ['mailbox:mailbox:read'], title: 'Mailbox' },
      () => import('./users/UserEditScreen.tsx'),
    ),
  ],
  area: 'Hosting',
  menu: [item(56, 'Mailboxes', '/mailboxes/list', 'mailbox:mailbox:read', ['/mailboxes'])],
  subjects: {
    mailbox: (id) => `/mailboxes/edit/${id}`,
    'mailbox-user': (id) => `/mailboxes/users/edit/${id}`,
  },
  sections: [
    {
      at: 40,
      name: 'mail',
      tab: 'data',
      load: () => import('./MailOfSite.tsx'),
      reads: 'mailbox:mailbox:read',
      when: isHosted,
    },
  ],
} satisfies Domain
