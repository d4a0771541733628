import { group, item, type Menu } from './domain.ts'

/** Items of areas without a domain folder. A new domain takes its items from here, with their places. No item is shown without its screen. */
export const menuToCome: readonly Menu[] = [
  {
    area: 'Hosting',
    menu: [
      ...group('Databases', [
        item(25, 'Databases', '/databases/list', 'database:database:read', ['/databases']),
        item(26, 'Users', '/databases/users/list', 'database:user:read', [
          '/databases/users/create',
          '/databases/users/edit',
        ]),
      ]),
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
      ...group('QC', [
        item(11, 'Chat archive', '/qc/chats', 'qa:chat:read', ['/qc/chats/review']),
        item(12, 'Escalations', '/qc/escalations', 'qa:escalation:read'),
        item(13, 'Feedbacks', '/qc/feedbacks', 'qa:feedback:read'),
        item(14, 'Queue', '/qc/chats/queue', 'qa:chat:read', ['/qc/chats/review', '/qc-settings/chats/queue']),
        item(15, 'Tickets', '/qc/tickets', 'qa:ticket:read'),
        item(16, 'Tags', '/qc-settings/tags', 'qa:tag:read'),
        item(
          17,
          'Scores',
          '/qc-settings/score/types',
          ['qa:score-type:read', 'qa:score-grade:read'],
          ['/qc-settings/score/grades'],
        ),
        item(18, 'Statistics', '/qc/statistics', 'qa:statistics:read'),
        item(19, 'Dossiers', '/qc/dossiers', ['dossier:comment:create', 'dossier:comment:read']),
        item(20, 'Cron settings', '/qc-settings/cron', 'qa:cron:read'),
      ]),
      ...group('QC V2', [
        item(35, 'Chat archive', '/qc-v2/chats/archive', 'qa:chat:read'),
        item(36, 'Chat queue', '/qc-v2/chats/queue', 'qa:chat:read'),
        item(37, 'Ticket archive', '/qc-v2/tickets/archive', 'qa:ticket:read', ['/qc-v2/tickets']),
        item(38, 'Ticket queue', '/qc-v2/tickets/queue', 'qa:ticket:read'),
        item(39, 'Feedbacks', '/qc-v2/feedbacks', 'qa:feedback:read', [
          '/qc-v2/chat-feedbacks',
          '/qc-v2/ticket-feedbacks',
        ]),
        item(40, 'Escalations', '/qc-v2/escalations', 'qa:escalation:read', [
          '/qc-v2/chat-escalations',
          '/qc-v2/ticket-escalations',
        ]),
        item(41, 'Statistics', '/qc-v2/statistics', 'qa:statistics:read'),
        item(42, 'Scores', '/qc-settings-v2/scores', ['qa:score-type:read', 'qa:score-grade:read']),
        item(43, 'Tags', '/qc-settings-v2/tags', 'qa:tag:read'),
        item(44, 'Ticket cron config', '/qc-settings-v2/ticket-cron-config', 'qa:cron:read'),
      ]),
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
