import type { Good } from '../../../test/hostile/good.ts'

export const recovery: Good<'recovery'> = {
  ask: ({ id }) => ({ userId: id('users', 'nina'), reason: 'Lost the phone' }),
  confirm: ({ id }) => ({ id: id('recoveries') }),
  refuse: ({ id }) => ({ id: id('recoveries') }),
}
