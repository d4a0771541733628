import type { Page } from 'playwright-core'

export interface View {
  /** File name of its pictures. */
  name: string
  path: string
  /** What is done before the picture is taken. */
  act?: (page: Page) => Promise<void>
}

const view = (name: string, path: string, act?: View['act']): View => ({ name, path, ...(act && { act }) })

const key = (keys: string) => (page: Page) => page.keyboard.press(keys)

/** The screens of which pictures are stored: each kind of page once, and the ones that people open most. */
export const views: readonly View[] = [
  view('home', '/'),
  view('sign-in', '/login'),
  view('palette', '/websites', key('Control+k')),
  view('keys', '/websites', key('Shift+?')),
  view('peek', '/websites', async (page) => {
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
  }),
  view('refused', '/no-such-screen'),

  view('websites', '/websites'),
  view('websites-trash', '/websites?status=deleted'),
  view('websites-empty', '/websites?domain=no-such-website'),
  view('website', '/websites/1'),
  view('website-create', '/websites/create'),
  view('website-groups', '/websites/groups'),
  view('website-group', '/websites/groups/1'),
  view('migrations', '/website-migrations'),
  view('migration', '/website-migrations/1'),
  view('orchestrator', '/website-orchestrator'),
  view('system-users', '/system-users/list'),
  view('databases', '/databases/list'),
  view('database-create', '/databases/create'),
  view('ftp-users', '/ftp-users/list'),
  view('plans', '/plans'),

  view('servers', '/server'),
  view('server', '/server/1'),
  view('server-create', '/server/create'),
  view('ip-sets', '/ipset/sets'),

  view('zone', '/dns/zone/1'),
  view('zone-templates', '/dns/templates'),
  view('certificates', '/ssl'),
  view('origin-vhosts', '/vhost/origin'),
  view('edge-vhosts', '/vhost/cdn'),
  view('mail-domains', '/mailboxes/list'),
  view('senders', '/mailboxes/senders'),

  view('backups', '/backups'),
  view('backup-tasks', '/backups/tasks'),
  view('restores', '/backups/restores'),
  view('config-resets', '/backups/config-resets'),
  view('archive-imports', '/archive-imports'),

  view('users', '/users'),
  view('user-create', '/users/create'),
  view('roles', '/roles'),
  view('role', '/roles/edit/1'),
  view('departments', '/departments'),
  view('action-log', '/action-logs'),
  view('elevations', '/elevations'),
  view('tokens', '/tokens'),
  view('webhooks', '/webhooks'),
  view('recoveries', '/recoveries'),
  view('security', '/security'),
  view('profile', '/profile'),
  view('notifications', '/notifications'),
  view('service-accounts', '/service-accounts'),

  view('shifts', '/calendar/shifts/manage'),
  view('automations', '/calendar/shifts/automation'),
  view('events', '/calendar/events'),
  view('my-leaves', '/leaves/my'),
  view('leave-new', '/leaves/new'),
  view('leaves-waiting', '/leaves/all?tab=waiting'),

  view('queue', '/qc-v2/tickets/queue'),
  view('review', '/qc-v2/chats/review'),
  view('statistics', '/qc-v2/statistics'),
  view('dossier', '/dossiers/1'),
  view('team-chart', '/dossiers/chart'),

  view('bugs', '/internal-tickets/bugs'),
  view('bugs-board', '/internal-tickets/bugs/board'),
  view('bug', '/internal-tickets/bugs/1'),
  view('files', '/files-manager'),
  view('messages', '/sms/messages'),
  view('audits', '/scrums/audits/all'),
]
