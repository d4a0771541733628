import type { Link, User } from '@innkeeper/contract/access/users/shapes'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { counted } from '../../kit/look/format.ts'
import { usersApi } from './api.ts'

type Known = Pick<User, 'id' | 'name'>
const domains = ['users'] as const

export async function forceLogout({ id, name }: Known): Promise<void> {
  const sure = await confirm({
    title: `Sign ${name} out?`,
    text: 'Every browser and program of theirs is signed out at once. They can sign in again.',
    verb: 'Sign out everywhere',
    danger: true,
  })
  if (!sure) return
  const done = await attempt(() => usersApi.forceLogout({ userId: id }), domains)
  if (done) toast.success(`${name} is signed out`, `In ${counted(done.ended, ['place', 'places'])}.`)
}

/** Returns the sign-in link, to be shown once. */
export async function newLink({ id, name }: Known): Promise<Link | undefined> {
  const sure = await confirm({
    title: `Make a sign-in link for ${name}?`,
    text: 'Whoever opens the link chooses a new password for this account and is signed in. The link works once, and for 48 hours. Earlier links end.',
    verb: 'Make link',
  })
  return sure && attempt(() => usersApi.link({ id }), domains)
}

export async function unlock({ id, name }: Known): Promise<void> {
  const done = await succeeds(() => usersApi.unlock({ id }), domains)
  if (done) toast.success(`${name} is unlocked`, 'The count of wrong passwords starts again at 0.')
}

export async function dropSecondFactor({ id, name }: Known): Promise<void> {
  const sure = await confirm({
    title: `Remove the second factor of ${name}?`,
    text: 'After that, they sign in with their password only, and their backup codes stop working. Make sure that the request really comes from them.',
    verb: 'Take off',
    danger: true,
  })
  if (!sure) return
  const done = await succeeds(() => usersApi.dropSecondFactor({ id }), domains)
  if (done) toast.warning(`${name} has no second factor now`)
}

export async function endSession({ id, name }: Known, session: number): Promise<void> {
  const done = await succeeds(() => usersApi.endSession({ id, session }), domains)
  if (done) toast.success(`${name} is signed out there`)
}

export async function suspend({ id, name }: Known): Promise<void> {
  const sure = await confirm({
    title: `Suspend the account of ${name}?`,
    text: 'Every session ends, and nobody can sign in with it. Its records, role and shifts stay as they are.',
    verb: 'Suspend',
    danger: true,
  })
  if (!sure) return
  const done = await succeeds(() => usersApi.suspend({ id }), domains)
  if (done) toast.warning(`${name} is suspended`)
}

export async function resume({ id, name }: Known): Promise<void> {
  const done = await succeeds(() => usersApi.resume({ id }), domains)
  if (done) toast.success(`${name} can sign in again`)
}
