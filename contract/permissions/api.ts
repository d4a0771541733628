export const api = {
  'api:service-account:read': 'See service accounts',
  'api:service-account:create': 'Create service accounts',
  'api:service-account:update': 'Change service accounts and make their tokens',
  'api:service-account:delete': 'Delete service accounts',
  'api:token:read': 'See the API tokens of everybody',
  'api:token:create': 'Make API tokens',
  'api:token:revoke': 'Revoke the API tokens of everybody',
  'api:webhook:read': 'See webhooks',
  'api:webhook:create': 'Create webhooks',
  'api:webhook:update': 'Change webhooks and send their messages again',
  'api:webhook:delete': 'Delete webhooks',
} as const satisfies Record<`api:${string}:${string}`, string>
