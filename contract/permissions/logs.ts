export const logs = {
  'logs:action-logs:read': 'See the action log',
} as const satisfies Record<`logs:${string}:${string}`, string>
