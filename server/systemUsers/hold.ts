import { inArray, sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'
import { conflict } from '../kit/http/errors.ts'
import { systemUsers } from './tables.ts'

/** Lock of workflows that change or remove an account. */
export const lockOf = (systemUserId: number) => `system-user:${systemUserId}`

/**
 * Locks the rows of accounts until the transaction ends, always in the same order. 409 if a workflow locks one of them.
 */
export async function holdAccounts(tx: Db, systemUserIds: number[]): Promise<void> {
  const ids = [...new Set(systemUserIds)]
  await tx
    .select({ id: systemUsers.id })
    .from(systemUsers)
    .where(inArray(systemUsers.id, ids))
    .orderBy(systemUsers.id)
    .for('update')
  const [going] = await rows<{ holder: string }>(
    tx,
    sql`select holder from resource_locks where resource in ${ids.map(lockOf)} limit 1`,
  )
  if (going) throw conflict(`The account is being worked on by ${going.holder}`)
}

/**
 * Locks an account's row until the transaction ends, so that its last website cannot be removed while another one is
 * added. Returns the number of its websites, including those being deleted, without aliases.
 */
export async function holdAccount(tx: Db, systemUserId: number): Promise<number> {
  await holdAccounts(tx, [systemUserId])
  const [{ n } = { n: 0 }] = await rows<{ n: number }>(
    tx,
    sql`select count(*)::int as n from websites where system_user_id = ${systemUserId} and deleted_at is null
      and kind <> 'alias'`,
  )
  return n
}
