export const employee = {
  'employee:profile:read': 'See profiles',
  'employee:profile:create': 'Create profiles',
  'employee:profile:update': 'Change profiles',
} as const satisfies Record<`employee:${string}:${string}`, string>
