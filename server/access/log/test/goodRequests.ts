import type { Good } from '../../../test/hostile/good.ts'

export const log: Good<'log'> = {
  verify: {},
}
