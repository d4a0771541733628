import { sshKeyType } from '@innkeeper/contract/kit/values'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { type PlanStep, type SecretReference, secret, step } from '../../kit/work/action.ts'
import { packagesEnsure } from '../../machines/servers/actions.ts'
import { remainsOf } from '../systemUsers/remains.ts'
import { sftpAccessEnsure, sftpEnsure } from './actions.ts'
import { sftpAccess, sftpKeys } from './tables.ts'

/** The fields of an account that steps for its access need. */
export interface Holder {
  id: number
  username: string
  serverId: number
}
/** Name of the secret with a new password, which is deleted once the server has the password. */
export const passwordName = (systemUserId: number) => `sftp-password:${systemUserId}`

const on = ({ id, username, serverId }: Holder) => ({
  server: serverId,
  resource: { type: 'sftp', id, name: username },
})

/** Installs sshd and configures SFTP with chroot. */
export const sftpItself = (holder: Holder): PlanStep[] => [
  step(packagesEnsure, { packages: ['openssh-server'] }, on(holder)),
  step(sftpEnsure, {}, on(holder)),
]

/** Step that applies the access of the current rows. Keys that are being removed are left out. */
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
/** Keys that can sign in, or can once the server has them. */
export const keysOf = (db: Db, systemUserId: number): Promise<Key[]> =>
  db
    .select()
    .from(sftpKeys)
    .where(and(eq(sftpKeys.systemUserId, systemUserId), inArray(sftpKeys.state, ['adding', 'active'])))
    .orderBy(asc(sftpKeys.id))

/** Step that allows exactly these keys. */
export const letIn = (
  holder: Holder,
  state: 'active' | 'suspended',
  keys: readonly Key[],
  change: { signInPassword?: SecretReference | null; again?: boolean } = {},
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

/** `20261121140240Z`, the format of an expiry time in sshd. */
const stampOf = (at: string) => `${new Date(at).toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`

/** Steps that suspend or activate the access with its account. */
export async function accessFollows(db: Db, holder: Holder, status: 'active' | 'suspended'): Promise<PlanStep[]> {
  const [access] = await db.select().from(sftpAccess).where(eq(sftpAccess.systemUserId, holder.id))
  // the old account of a moved website stays closed
  if (await remainsOf(db, holder.id)) return []
  return access?.state === 'on' ? [await accessStep(db, holder, status)] : []
}
