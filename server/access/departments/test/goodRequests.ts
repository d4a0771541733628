import type { Good } from '../../../test/hostile/good.ts'

export const departments: Good<'departments'> = {
  create: { name: 'Fresh' },
  update: ({ id }) => ({ id: id('departments', 'Empty'), name: 'Not empty', add: [id('users', 'comes')] }),
  remove: ({ id }) => ({ id: id('departments', 'Names') }),
}
