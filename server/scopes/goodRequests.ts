import type { Good } from '../hostile/good.ts'

export const scopes: Good<'scopes'> = {
  sync: {},
  ask: { scopes: ['dns:zone:delete'], path: '/dns' },
}
