import { sshKeyType } from '@innkeeper/contract/values'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { type PlanStep, type SecretReference, secret, step } from '../kit/work/action.ts'
import { packagesEnsure } from '../servers/actions.ts'
import { sftpAccessEnsure, sftpEnsure } from './actions.ts'
import { sftpAccess, sftpKeys } from './tables.ts'

/** An account, as far as its access needs it. */
export interface Holder {
  id: number
  username: string
  serverId: number
}
/** Where the new password of an account waits until its server has it. */
export const passwordName = (systemUserId: number) => `sftp-password:${systemUserId}`

const on = ({ id, username, serverId }: Holder) => ({
  server: serverId,
  resource: { type: 'sftp', id, name: username },
})

/** sshd first, where it is not there yet, and how it keeps people in. */
export const sftpItself = (holder: Holder): PlanStep[] => [
  step(packagesEnsure, { packages: ['openssh-server'] }, on(holder)),
  step(sftpEnsure, {}, on(holder)),
]

/** Who signs in, as the rows say now; what is being removed is left out already. */
export async function accessStep(
  db: Db,
  holder: Holder,
  state: 'active' | 'suspended',
  password?: 'new' | 'none',
): Promise<PlanStep> {
  const change: { signInPassword?: SecretReference | null } =
    password === 'new'
      ? { signInPassword: secret(passwordName(holder.id)) }
      : password === 'none'
        ? { signInPassword: null }
        : {}
  return letIn(holder, state, await keysOf(db, holder.id), change)
}

export type Key = typeof sftpKeys.$inferSelect
/** That sign in, or will once its server has them. */
export const keysOf = (db: Db, systemUserId: number): Promise<Key[]> =>
  db
    .select()
    .from(sftpKeys)
    .where(and(eq(sftpKeys.systemUserId, systemUserId), inArray(sftpKeys.state, ['adding', 'active'])))
    .orderBy(asc(sftpKeys.id))

/** These keys and no others. */
export const letIn = (
  holder: Holder,
  state: 'active' | 'suspended',
  keys: readonly Key[],
  change: { signInPassword?: SecretReference | null } = {},
): PlanStep =>
  step(
    sftpAccessEnsure,
    {
      username: holder.username,
      state,
      keys: keys.map(({ type, body, expiresAt }) => ({
        type: sshKeyType.parse(type),
        body,
        ...(expiresAt && { expires: stampOf(expiresAt) }),
      })),
      ...change,
    },
    on(holder),
  )

/** `20261121140240Z`, as sshd reads an end. */
const stampOf = (at: string) => `${new Date(at).toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`

/** What goes with an account that is suspended or activated: nobody signs in meanwhile. */
export async function accessFollows(db: Db, holder: Holder, status: 'active' | 'suspended'): Promise<PlanStep[]> {
  const [access] = await db.select().from(sftpAccess).where(eq(sftpAccess.systemUserId, holder.id))
  return access?.state === 'on' ? [await accessStep(db, holder, status)] : []
}
