import type { Good } from '../../../test/hostile/good.ts'

export const monitoring: Good<'monitoring'> = {
  update: ({ id }) => ({ id: id('websites', 'active.example.org'), path: '/about', word: 'Welcome' }),
}
