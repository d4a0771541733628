import type { Good } from '../../../test/hostile/good.ts'

export const providers: Good<'providers'> = {
  create: { name: 'Second', issuer: 'https://login.example.org', clientId: 'innkeeper', secret: 'a secret' },
  update: ({ id }) => ({ id: id('identity_providers'), name: 'Login', secret: 'another secret' }),
  remove: ({ id }) => ({ id: id('identity_providers') }),
  makeScimToken: ({ id }) => ({ id: id('identity_providers') }),
  dropScimToken: ({ id }) => ({ id: id('identity_providers') }),
  configure: { twoForRecovery: true },
}
