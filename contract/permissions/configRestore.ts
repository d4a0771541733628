export const configRestore = {
  'config-restore:logs:read': 'See configuration logs',
  'config-restore:logs:delete': 'Delete configuration logs',
  'config-restore:configs:read': 'See collected configurations',
  'config-restore:configs:delete': 'Delete collected configurations',
  'config-restore:configs:collect': 'Collect configurations now',
  'config-restore:configs:reset': 'Reset servers to a collected configuration',
} as const satisfies Record<`config-restore:${string}:${string}`, string>
