import type { Good } from '../../../test/hostile/good.ts'

export const owners: Good<'owners'> = {
  create: { name: 'Fresh', email: 'fresh@example.org' },
}
