import type { Good } from '../../../test/hostile/good.ts'

export const secondFactor: Good<'secondFactor'> = {
  begin: { password: 'password of keeper' },
}
