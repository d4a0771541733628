import { sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { keptRows } from '../../kit/db/driver/prepared.ts'
import { conflict } from '../../kit/http/errors.ts'

/** Lock of workflows that change or remove an account. */
export const lockOf = (systemUserId: number) => `system-user:${systemUserId}`

/**
 * Locks the rows of accounts until the transaction ends, always in the same order. 409 if a workflow locks one of them.
 */
export async function holdAccounts(tx: Db, systemUserIds: number[]): Promise<void> {
  const ids = [...new Set(systemUserIds)]
  await keptRows(
    tx,
    sql`select from system_users where system_user_id = any(${sql.param(ids)}::int[]) order by system_user_id for update`,
  )
  const [going] = await keptRows<{ holder: string }>(
    tx,
    sql`select holder from resource_locks where resource = any(${sql.param(ids.map(lockOf))}::text[]) limit 1`,
  )
  if (going) throw conflict(`The account is being worked on by ${going.holder}`)
}

/**
 * Locks an account's row until the transaction ends, so that its last website cannot be removed while another one is
 * added. Returns the number of its websites, including those being deleted, without aliases.
 */
export async function holdAccount(tx: Db, systemUserId: number): Promise<number> {
  await holdAccounts(tx, [systemUserId])
  const [{ n } = { n: 0 }] = await keptRows<{ n: number }>(
    tx,
    sql`select count(*)::int as n from websites where system_user_id = ${systemUserId} and deleted_at is null
      and kind <> 'alias'`,
  )
  return n
}
