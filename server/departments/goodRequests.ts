import type { Good } from '../hostile/good.ts'

export const departments: Good<'departments'> = {
  create: { name: 'Fresh' },
  update: ({ id }) => ({ id: id('departments', 'Empty'), name: 'Not empty', add: [id('users', 'comes')] }),
  remove: ({ id }) => ({ id: id('departments', 'Names') }),
}
