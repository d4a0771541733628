import type { Good } from '../../../test/hostile/good.ts'

export const roles: Good<'roles'> = {
  create: ({ id }) => ({ name: 'Fresh', scopes: [], departmentId: id('departments', 'Not yet') }),
  update: ({ id }) => ({ id: id('roles', 'role of invited'), name: 'Guards', scopes: ['ipset:set:delete'] }),
  remove: ({ id }) => ({ id: id('roles', 'Free') }),
  assign: ({ id }) => ({ users: [id('users', 'comes')], role: id('roles', 'role of paul') }),
}
