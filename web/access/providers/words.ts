import type { Provider } from '@innkeeper/contract/access/providers'

export const makesAccountsWords: Record<Provider['makesAccounts'], string> = {
  nobody: 'Nobody: accounts are made here or by SCIM',
  mapped: 'Members of a group below',
  everybody: 'Everybody whom the provider signs in',
}

export const leaversWords: Record<Provider['leavers'], string> = {
  suspend: 'Suspend the account; its records stay',
  delete: 'Delete the account; somebody gets its records',
}
