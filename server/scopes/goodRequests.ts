import type { Good } from '../hostile/good.ts'

export const scopes: Good<'scopes'> = {
  sync: {},
}
