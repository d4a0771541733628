export const dns = {
  'dns:zone:read': 'See DNS zones',
  'dns:zone:create': 'Create DNS zones',
  'dns:zone:delete': 'Delete DNS zones',
  'dns:zone:update': 'Change DNS zones',
  'dns:zone:sync': 'Sync DNS zones',
  'dns:zone:activate': 'Activate DNS zones',
  'dns:key:read': 'Export keys of DNS zones',
  'dns:record:update': 'Change DNS records',
  'dns:department:read': 'See DNS departments',
  'dns:department:create': 'Create DNS departments',
  'dns:department:delete': 'Delete DNS departments',
} as const satisfies Record<`dns:${string}:${string}`, string>
