import type { Good } from '../../../test/hostile/good.ts'

export const serviceAccounts: Good<'serviceAccounts'> = {
  create: { name: 'Deploys' },
  update: ({ id }) => ({ id: id('service_accounts', { description: 'reads zones' }), name: 'Reads zones' }),
  remove: ({ id }) => ({ id: id('service_accounts', { description: 'goes' }) }),
}
