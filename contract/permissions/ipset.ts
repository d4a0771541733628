export const ipset = {
  'ipset:set:read': 'See IP sets',
  'ipset:set:create': 'Create IP sets',
  'ipset:set:delete': 'Delete IP sets',
  'ipset:set:unban': 'Lift bans in IP sets',
  'ipset:set:update': 'Change IP sets',
} as const satisfies Record<`ipset:${string}:${string}`, string>
