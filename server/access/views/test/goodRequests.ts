import type { Good } from '../../../test/hostile/good.ts'

export const views: Good<'views'> = {
  save: { list: 'websites', name: 'Fresh', filters: {} },
  remove: ({ id }) => ({ id: id('views', 'Failing') }),
}
