import type { Good } from '../hostile/good.ts'

export const owners: Good<'owners'> = {
  create: { name: 'Fresh', email: 'fresh@example.org' },
}
