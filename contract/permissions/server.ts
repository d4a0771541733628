export const server = {
  'server:server:create': 'Create servers',
  'server:server:read': 'See servers',
  'server:type:read': 'See server types',
  'server:type:update': 'Change server types',
  'server:server:delete': 'Delete servers',
  'server:server:status': 'Change the status of servers',
  'server:server:update': 'Change servers',
} as const satisfies Record<`server:${string}:${string}`, string>
