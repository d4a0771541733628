import type { Good } from '../../../test/hostile/good.ts'

export const operation: Good<'operation'> = {
  test: {},
  forget: ({ id }) => ({ id: id('nodes', { name: 'old-host:4400' }) }),
}
