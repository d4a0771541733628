import type { Good } from '../../../test/hostile/good.ts'

export const users: Good<'users'> = {
  create: { username: 'fresh', email: 'fresh@example.org', firstName: 'Fresh', lastName: 'Face' },
  update: ({ id }) => ({ id: id('users', 'waits'), firstName: 'Wanda', isAdmin: true }),
  remove: ({ id }) => ({ id: id('users', 'comes'), heir: id('users', 'keeper') }),
  forceLogout: ({ id }) => ({ userId: id('users', 'keeper') }),
  endSession: ({ id }) => ({ id: id('users', 'keeper'), session: id('sessions') }),
  link: ({ id }) => ({ id: id('users', 'nina') }),
  setPassword: ({ id }) => ({ id: id('users', 'nina'), password: 'a password for nina' }),
  unlock: ({ id }) => ({ id: id('users', 'keeper') }),
  suspend: ({ id }) => ({ id: id('users', 'nina') }),
  resume: ({ id }) => ({ id: id('users', 'away') }),
  dropSecondFactor: ({ id }) => ({ id: id('users', 'nina') }),
}
