import type { User } from '@innkeeper/contract/access/users/shapes'

/** The source of somebody's permissions. */
export const rightsWord = ({ isAdmin, roleName }: Pick<User, 'isAdmin' | 'roleName'>): string =>
  isAdmin ? 'Administrator' : (roleName ?? 'No role')

/** The sign-in state of a person, as StatusBadge shows it. */
export function stateOfUser(user: User): { state: string; label: string } {
  if (user.suspendedAt) return { state: 'blocked', label: 'Suspended' }
  if (user.lockedUntil) return { state: 'blocked', label: 'Locked' }
  if (!user.lastSignInAt) return { state: 'pending', label: 'Not yet signed in' }
  if (user.mustChangePassword) return { state: 'pending', label: 'Password to change' }
  return { state: 'active', label: 'Active' }
}
