import type { Good } from '../hostile/good.ts'

export const secondFactor: Good<'secondFactor'> = {
  begin: {},
  remove: { password: 'password of keeper' },
}
