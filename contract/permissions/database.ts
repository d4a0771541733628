export const database = {
  'database:database:read': 'See databases',
  'database:database:create': 'Create databases',
  'database:database:update': 'Change databases',
  'database:database:delete': 'Delete databases',
  'database:trash:restore': 'Restore deleted databases',
  'database:user:read': 'See database users',
  'database:user:create': 'Create database users',
  'database:user:update': 'Change database users',
  'database:user:delete': 'Delete database users',
  'database:logs:delete': 'Dismiss database workflows',
} as const satisfies Record<`database:${string}:${string}`, string>
