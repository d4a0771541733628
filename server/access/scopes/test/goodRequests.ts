import type { Good } from '../../../test/hostile/good.ts'

export const scopes: Good<'scopes'> = {
  sync: {},
  ask: { scopes: ['dns:zone:delete'], path: '/dns' },
}
