export const featureRequest = {
  'feature-request:feature:create': 'Create feature requests',
  'feature-request:feature:read': 'See feature requests',
  'feature-request:feature:update': 'Change feature requests',
  'feature-request:feature:delete': 'Delete feature requests',
  'feature-request:feature:archive': 'Archive feature requests',
  'feature-request:feature:delete-files': 'Delete files of feature requests',
  'feature-request:feature:note': 'Write notes on feature requests',
  'feature-request:feature:comment': 'Comment on feature requests',
  'feature-request:feature:settings': 'Change settings of feature requests',
} as const satisfies Record<`feature-request:${string}:${string}`, string>
