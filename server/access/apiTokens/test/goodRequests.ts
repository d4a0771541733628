import type { Good } from '../../../test/hostile/good.ts'

export const apiTokens: Good<'apiTokens'> = {
  create: { name: 'fresh', scopes: ['dns:zone:read'] },
  rotate: ({ id }) => ({ id: id('api_tokens', { name: 'turns' }), days: 30 }),
  revoke: ({ id }) => ({ id: id('api_tokens', { name: 'ends' }) }),
}
