import type { Access } from '@innkeeper/contract/access'

export interface MenuItem {
  label: string
  path: string
  scope: Access
  /** Besides its own path and what lies below it, these light it, and what lies below them. */
  also: readonly string[]
}
export interface MenuGroup {
  label: string
  children: readonly MenuEntry[]
}
export type MenuEntry = MenuItem | MenuGroup

const item = (
  label: string,
  path: string,
  scope: Exclude<Access, 'public'>,
  also: readonly string[] = [],
): MenuItem => ({ label, path, scope, also })
const group = (label: string, children: readonly MenuEntry[]): MenuGroup => ({ label, children })

/** The whole sidebar in the spec's order. What has no screen yet is not shown: see visibleMenu. */
export const menu: readonly MenuEntry[] = [
  item('Users', '/users', 'users:user:read'),
  item('User roles', '/roles', 'users:role:read'),
  item('Departments', '/departments', 'users:department:read'),
  item('IPset', '/ipset/sets', 'ipset:set:read'),
  group('Vhost', [item('CDN', '/vhost/cdn', 'vhost:vhost:read'), item('Origin', '/vhost/origin', 'vhost:origin:read')]),
  item('Server', '/server', 'server:server:read'),
  group('DNS', [
    item('Zones', '/dns', 'dns:zone:read'),
    item('Departments', '/dns/departments', 'dns:department:read'),
  ]),
  item('SSL certificates', '/ssl', 'ssl:cert:read'),
  group('QC', [
    item('Chat archive', '/qc/chats', 'qa:chat:read', ['/qc/chats/review']),
    item('Escalations', '/qc/escalations', 'qa:escalation:read'),
    item('Feedbacks', '/qc/feedbacks', 'qa:feedback:read'),
    item('Queue', '/qc/chats/queue', 'qa:chat:read', ['/qc/chats/review', '/qc-settings/chats/queue']),
    item('Tickets', '/qc/tickets', 'qa:ticket:read'),
    item('Tags', '/qc-settings/tags', 'qa:tag:read'),
    item(
      'Scores',
      '/qc-settings/score/types',
      ['qa:score-type:read', 'qa:score-grade:read'],
      ['/qc-settings/score/grades'],
    ),
    item('Statistics', '/qc/statistics', 'qa:statistics:read'),
    item('Dossiers', '/qc/dossiers', ['dossier:comment:create', 'dossier:comment:read']),
    item('Cron settings', '/qc-settings/cron', 'qa:cron:read'),
  ]),
  group('Calendar', [
    item('Shifts', '/calendar/shifts', 'calendar:shift:read'),
    item('Events', '/calendar/events', 'calendar:event:read'),
  ]),
  group('Bug/features', [
    item('Bugs', '/internal-tickets/bugs', 'bug-report:bug:read'),
    item('Features', '/internal-tickets/features', 'feature-request:feature:read'),
  ]),
  group('Databases', [
    item('Databases', '/databases/list', 'database:database:read', ['/databases']),
    item('Users', '/databases/users/list', 'database:user:read', ['/databases/users/create', '/databases/users/edit']),
  ]),
  item('System users', '/system-users/list', 'system-user:user:read', ['/system-users']),
  group('Leaves', [
    item('New', '/leaves/new', 'calendar:leave:create'),
    item('My', '/leaves/my', 'signedIn'),
    item('All', '/leaves/all', 'calendar:leave:read'),
    item('Employees', '/leaves/employees', 'calendar:employee:read', ['/leaves/employee']),
    item('Archive', '/leaves/archive', 'calendar:leave:read'),
    item('Approvers', '/leaves/approvers', 'calendar:default-approvers:read'),
  ]),
  item('Internal file manager', '/ifm', 'file-manager:file:browse', ['/files-manager']),
  group('QC V2', [
    item('Chat archive', '/qc-v2/chats/archive', 'qa:chat:read'),
    item('Chat queue', '/qc-v2/chats/queue', 'qa:chat:read'),
    item('Ticket archive', '/qc-v2/tickets/archive', 'qa:ticket:read', ['/qc-v2/tickets']),
    item('Ticket queue', '/qc-v2/tickets/queue', 'qa:ticket:read'),
    item('Feedbacks', '/qc-v2/feedbacks', 'qa:feedback:read', ['/qc-v2/chat-feedbacks', '/qc-v2/ticket-feedbacks']),
    item('Escalations', '/qc-v2/escalations', 'qa:escalation:read', [
      '/qc-v2/chat-escalations',
      '/qc-v2/ticket-escalations',
    ]),
    item('Statistics', '/qc-v2/statistics', 'qa:statistics:read'),
    item('Scores', '/qc-settings-v2/scores', ['qa:score-type:read', 'qa:score-grade:read']),
    item('Tags', '/qc-settings-v2/tags', 'qa:tag:read'),
    item('Ticket cron config', '/qc-settings-v2/ticket-cron-config', 'qa:cron:read'),
  ]),
  item('Agent profiles', '/dossiers', ['dossier:comment:create', 'dossier:comment:read']),
  item('Teams', '/dossiers/teams', ['dossier:comment:create', 'dossier:comment:read', 'dossier:team:read']),
  item('Review categories', '/review-categories', [
    'dossier:comment:create',
    'dossier:comment:read',
    'dossier:review-category:read',
  ]),
  group('Dev scrum', [
    item('Audits', '/scrums/audits/all', 'scrums:audit:read', [
      '/scrums/create',
      '/scrums/edit/audits',
      '/scrums/dev-audit',
    ]),
    item('Components', '/scrums/components', 'scrums:component:read', ['/scrums/create/component', '/scrums/edit']),
    item('Settings', '/scrums/settings', 'scrums:component:create'),
  ]),
  item('Internal tickets', '/internal-tickets', 'internal-ticket:ticket:read'),
  group('SMS', [
    item('Templates', '/sms/templates', 'sms:template:read'),
    item('Messages', '/sms/messages', 'sms:message:read'),
  ]),
  item('Websites', '/websites', 'website:website:read'),
  item('Website groups', '/websites/groups', 'website:group:read'),
  item('Mailboxes', '/mailboxes/list', 'mailbox:mailbox:read', ['/mailboxes']),
  item('FTP users', '/ftp-users/list', 'ftp-user:user:read', ['/ftp-users']),
  item('Action logs', '/action-logs', 'logs:action-logs:read'),
  group('Backups', [
    item('Servers', '/backups/servers', 'backup:server:read', ['/backups/create-server']),
    item('Repositories', '/backups/repositories', 'backup:repo:read'),
    item('Schedules', '/backups/schedules', 'backup:schedule:read'),
    item('Tasks', '/backups/tasks', 'backup:task:read'),
    item('Logs', '/backups/logs', 'backup:logs:read', ['/backups/config-collection-logs']),
    item('Restores', '/backups/restores', 'backup:restore:read'),
    item('Backups', '/backups', 'backup:backup:read'),
  ]),
  item('Config resets', '/backups/config-resets', 'config-restore:configs:read', [
    '/backups/config-reset-action-logs',
    '/backups/config-collection-logs',
  ]),
  group('Website migrations', [
    item('List', '/website-migrations', 'website:migrations:read'),
    item('Groups', '/website-migrations/groups', 'website:migrations:read'),
  ]),
  item('Website orchestrator resources', '/website-orchestrator', 'website:website:read'),
  item('Plans', '/plans', 'system-user:plan:read'),
]
