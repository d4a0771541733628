import type { Staff } from '../../../kit/access/sessions.ts'

/** The provider as the author of a change. It has no account, and nobody is notified in its name. */
export const actingFor = ({ name }: { name: string }): Staff => ({
  id: 0,
  username: '',
  name,
  isAdmin: true,
  scopes: [],
  departmentId: null,
  owes: null,
  sessionKey: '',
  endsAt: 0,
})
