import { type Domain, group, item, screen } from '../../domain.ts'
import { isHosted } from '../../hosting/websites/page/section.ts'

const restores = {
  scope: 'backup:restore:read',
  title: 'All Restore Logs',
  words: 'recover restore file website database',
} as const

export const backups = {
  screens: [
    screen('/backups', { scope: 'backup:backup:read', title: 'All Backups' }, () => import('./BackupsScreen.tsx')),
    screen(
      '/backups/create',
      { scope: ['backup:backup:create', 'backup:schedule:create'], title: 'Create Backup', about: ['website'] },
      () => import('./BackupCreateScreen.tsx'),
    ),
    screen(
      '/backups/$backupId/details',
      { scope: 'backup:backup:read', title: 'Backup' },
      () => import('./BackupScreen.tsx'),
    ),
    screen(
      '/backups/schedules',
      { scope: 'backup:schedule:read', title: 'All Backup Schedules' },
      () => import('./SchedulesScreen.tsx'),
    ),
    screen(
      '/backups/tasks',
      { scope: 'backup:task:read', title: 'All Backup Tasks' },
      () => import('./TasksScreen.tsx'),
    ),
    screen('/backups/logs', { scope: 'backup:logs:read', title: 'All Backup Logs' }, () => import('./LogsScreen.tsx')),
    screen('/backups/restores', restores, () => import('./restore/RestoresScreen.tsx')),
    screen('/restores', restores, () => import('./restore/RestoresScreen.tsx')),
    screen(
      '/backups/servers',
      { scope: 'backup:server:read', title: 'All Backup Servers' },
      () => import('./ServersScreen.tsx'),
    ),
    screen(
      '/backups/create-server',
      { scope: 'backup:server:create', needs: ['server:server:read'], title: 'Create Backup Server' },
      () => import('./ServerCreateScreen.tsx'),
    ),
    screen(
      '/backups/repositories',
      { scope: 'backup:repo:read', title: 'All Backup Repositories' },
      () => import('./RepositoriesScreen.tsx'),
    ),
    screen(
      '/backups/repositories/prune',
      { scope: 'backup:repo:prune', needs: ['backup:server:read'], title: 'Prune Repo' },
      () => import('./PruneScreen.tsx'),
    ),
    screen(
      '/backups/repositories/forget',
      { scope: 'backup:repo:forget', needs: ['backup:server:read'], title: 'Forget Repo' },
      () => import('./ForgetScreen.tsx'),
    ),
    screen(
      '/backups/repositories/copies',
      { scope: 'backup:repo:read', needs: ['backup:server:read'], title: 'Copies of repositories' },
      () => import('./CopiesScreen.tsx'),
    ),
    screen(
      '/backups/repositories/locks',
      { scope: 'backup:repo:forget', needs: ['backup:repo:read'], title: 'Forget Repo' },
      () => import('./LocksScreen.tsx'),
    ),
  ],
  area: 'Backups',
  menu: group('Backups', [
    item(59, 'Servers', '/backups/servers', 'backup:server:read', ['/backups/create-server']),
    item(60, 'Repositories', '/backups/repositories', 'backup:repo:read'),
    item(61, 'Schedules', '/backups/schedules', 'backup:schedule:read'),
    item(62, 'Tasks', '/backups/tasks', 'backup:task:read'),
    item(63, 'Logs', '/backups/logs', 'backup:logs:read', ['/backups/config-collection-logs']),
    item(64, 'Restores', '/backups/restores', 'backup:restore:read', ['/restores']),
    item(65, 'Backups', '/backups', 'backup:backup:read', ['/backups/create']),
  ]),
  subjects: {
    backup: (id) => `/backups/${id}/details`,
    'backup-server': () => '/backups/servers',
    'backup-repository': () => '/backups/repositories',
    'backup-schedule': () => '/backups/schedules',
    restore: () => '/backups/restores',
  },
  sections: [
    {
      at: 50,
      name: 'backups',
      tab: 'data',
      load: () => import('./BackupsOfSite.tsx'),
      reads: 'backup:backup:read',
      when: isHosted,
    },
  ],
} satisfies Domain
