import { group, item, type Menu } from './domain.ts'

/** Items of areas without a domain folder. A new domain takes its items from here, with their places. No item is shown without its screen. */
export const menuToCome: readonly Menu[] = [
  {
    area: 'Hosting',
    menu: [
      item(56, 'Mailboxes', '/mailboxes/list', 'mailbox:mailbox:read', ['/mailboxes']),
      item(57, 'FTP users', '/ftp-users/list', 'ftp-user:user:read', ['/ftp-users']),
    ],
  },
  {
    area: 'Backups',
    menu: [
      ...group('Backups', [
        item(59, 'Servers', '/backups/servers', 'backup:server:read', ['/backups/create-server']),
        item(60, 'Repositories', '/backups/repositories', 'backup:repo:read'),
        item(61, 'Schedules', '/backups/schedules', 'backup:schedule:read'),
        item(62, 'Tasks', '/backups/tasks', 'backup:task:read'),
        item(63, 'Logs', '/backups/logs', 'backup:logs:read', ['/backups/config-collection-logs']),
        item(64, 'Restores', '/backups/restores', 'backup:restore:read'),
        item(65, 'Backups', '/backups', 'backup:backup:read'),
      ]),
      item(66, 'Config resets', '/backups/config-resets', 'config-restore:configs:read', [
        '/backups/config-reset-action-logs',
        '/backups/config-collection-logs',
      ]),
    ],
  },
  {
    area: 'Support quality',
    menu: [
      ...group('QC', [item(19, 'Dossiers', '/qc/dossiers', ['dossier:comment:create', 'dossier:comment:read'])]),
      item(45, 'Agent profiles', '/dossiers', ['dossier:comment:create', 'dossier:comment:read']),
      item(46, 'Teams', '/dossiers/teams', ['dossier:comment:create', 'dossier:comment:read', 'dossier:team:read']),
      item(47, 'Review categories', '/review-categories', [
        'dossier:comment:create',
        'dossier:comment:read',
        'dossier:review-category:read',
      ]),
    ],
  },
  {
    area: 'Desk',
    menu: [
      ...group('Bug/features', [
        item(23, 'Bugs', '/internal-tickets/bugs', 'bug-report:bug:read'),
        item(24, 'Features', '/internal-tickets/features', 'feature-request:feature:read'),
      ]),
      ...group('Dev scrum', [
        item(48, 'Audits', '/scrums/audits/all', 'scrums:audit:read', [
          '/scrums/create',
          '/scrums/edit/audits',
          '/scrums/dev-audit',
        ]),
        item(49, 'Components', '/scrums/components', 'scrums:component:read', [
          '/scrums/create/component',
          '/scrums/edit',
        ]),
        item(50, 'Settings', '/scrums/settings', 'scrums:component:create'),
      ]),
      item(51, 'Internal tickets', '/internal-tickets', 'internal-ticket:ticket:read'),
      ...group('SMS', [
        item(52, 'Templates', '/sms/templates', 'sms:template:read'),
        item(53, 'Messages', '/sms/messages', 'sms:message:read'),
      ]),
    ],
  },
]
