import type { Good } from '../../../test/hostile/good.ts'

export const stagings: Good<'stagings'> = {
  create: ({ id }) => ({ id: id('websites', 'active.example.org'), domain: 'fresh.example.org' }),
  revert: ({ id }) => ({ id: id('merges') }),
}
