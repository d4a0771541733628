export const ssl = {
  'ssl:cert:create': 'Create certificates',
  'ssl:cert:read': 'See certificates',
  'ssl:cert:delete': 'Delete certificates',
  'ssl:cert:renew': 'Renew certificates',
} as const satisfies Record<`ssl:${string}:${string}`, string>
