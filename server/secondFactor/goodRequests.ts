import type { Good } from '../hostile/good.ts'

export const secondFactor: Good<'secondFactor'> = {
  begin: { password: 'password of keeper' },
}
