export const scrums = {
  'scrums:audit:read': 'See scrum audits',
  'scrums:audit:create': 'Create scrum audits',
  'scrums:audit:update': 'Change scrum audits',
  'scrums:audit:delete': 'Delete scrum audits',
  'scrums:component:read': 'See scrum components',
  'scrums:component:create': 'Create scrum components',
  'scrums:component:update': 'Change scrum components',
  'scrums:component:delete': 'Delete scrum components',
} as const satisfies Record<`scrums:${string}:${string}`, string>
