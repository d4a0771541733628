import type { Good } from '../../../test/hostile/good.ts'

export const auth: Good<'auth'> = {
  token: { user: 'invited', password: 'password of invited' },
  redeem: { link: 'fresh-1', password: 'a password of one’s own' },
  logout: {},
  password: { current: 'password of keeper', password: 'another password of keeper' },
  endSession: ({ id }) => ({ id: id('sessions') }),
  endOthers: {},
}
