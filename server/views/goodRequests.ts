import type { Good } from '../hostile/good.ts'

export const views: Good<'views'> = {
  save: { list: 'websites', name: 'Fresh', filters: {} },
  remove: ({ id }) => ({ id: id('views', 'Failing') }),
}
