import type { Good } from '../hostile/good.ts'

export const log: Good<'log'> = {
  verify: {},
}
