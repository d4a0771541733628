import { type Domain, group, item, screen } from '../../domain.ts'

export const dns = {
  screens: [
    screen('/dns', { scope: 'dns:zone:read', title: 'Zones' }, () => import('./zones/ZonesScreen.tsx')),
    screen(
      '/dns/zone/create',
      { scope: 'dns:zone:create', needs: 'dns:zone:read', title: 'Add zone' },
      () => import('./zones/ZoneCreateScreen.tsx'),
    ),
    screen('/dns/zone/$id', { scope: 'dns:zone:read', title: 'Zone' }, () => import('./zones/ZoneScreen.tsx')),
    screen(
      '/dns/zone/$id/create',
      { scope: 'dns:record:update', needs: 'dns:zone:read', title: 'Add record' },
      () => import('./records/RecordCreateScreen.tsx'),
    ),
    screen(
      '/dns/templates',
      { scope: 'dns:zone:read', title: 'Zone templates' },
      () => import('./templates/TemplatesScreen.tsx'),
    ),
    screen(
      '/dns/departments',
      { scope: 'dns:department:read', title: 'DNS departments' },
      () => import('./DepartmentsScreen.tsx'),
    ),
  ],
  area: 'Infrastructure',
  menu: [
    ...group('DNS', [
      item(8, 'Zones', '/dns', 'dns:zone:read'),
      item(9, 'Departments', '/dns/departments', 'dns:department:read'),
    ]),
  ],
  subjects: {
    zone: (id) => `/dns/zone/${id}`,
    dns: () => '/dns',
  },
} satisfies Domain
