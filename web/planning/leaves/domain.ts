import { type Domain, group, item, screen } from '../../domain.ts'

export const leaves = {
  screens: [
    screen(
      '/leaves/new',
      { scope: 'calendar:leave:create', title: 'Request leave', words: 'vacation holiday sick day off' },
      () => import('./requests/NewScreen.tsx'),
    ),
    screen('/leaves/my', { scope: 'signedIn', title: 'My leaves' }, () => import('./MyScreen.tsx')),
    screen('/leaves/all', { scope: 'calendar:leave:read', title: 'Leaves' }, () => import('./AllScreen.tsx')),
    screen(
      '/leaves/employees',
      { scope: 'calendar:employee:read', title: 'Employees' },
      () => import('./entitlements/EmployeesScreen.tsx'),
    ),
    screen(
      '/leaves/employee/$userId',
      { scope: 'calendar:employee:update', needs: 'calendar:employee:read', title: 'Leave of an employee' },
      () => import('./entitlements/EmployeeScreen.tsx'),
    ),
    screen(
      '/leaves/archive',
      { scope: 'calendar:leave:read', title: 'Leave archive' },
      () => import('./ArchiveScreen.tsx'),
    ),
    screen(
      '/leaves/approvers',
      { scope: 'calendar:default-approvers:read', title: 'Leave approvers' },
      () => import('./approvers/ApproversScreen.tsx'),
    ),
  ],
  area: 'Planning',
  menu: [
    ...group('Leaves', [
      item(28, 'New', '/leaves/new', 'calendar:leave:create'),
      item(29, 'My', '/leaves/my', 'signedIn'),
      item(30, 'All', '/leaves/all', 'calendar:leave:read'),
      item(31, 'Employees', '/leaves/employees', 'calendar:employee:read', ['/leaves/employee']),
      item(32, 'Archive', '/leaves/archive', 'calendar:leave:read'),
      item(33, 'Approvers', '/leaves/approvers', 'calendar:default-approvers:read'),
    ]),
  ],
  blocks: [{ name: 'leaves', title: 'Leaves', at: 60, reads: 'signedIn', load: () => import('./LeavesBlock.tsx') }],
  waits: [
    {
      name: 'leaves',
      at: 30,
      reads: 'calendar:leave:read',
      noun: ['leave to decide', 'leaves to decide'],
      to: '/leaves/all?tab=waiting&mine=true',
      load: () => import('./waiting.ts'),
    },
  ],
} satisfies Domain
