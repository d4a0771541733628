import type { Good } from '../../../test/hostile/good.ts'

export const passkeys: Good<'passkeys'> = {
  options: { password: 'password of keeper' },
  rename: ({ id }) => ({ id: id('passkeys'), name: 'Blue key' }),
  remove: ({ id }) => ({ id: id('passkeys'), password: 'password of keeper' }),
}
