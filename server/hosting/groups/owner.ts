import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'

/**
 * Assigns the websites of a group and their accounts to another owner. Refused if an account also has a website outside
 * the group, because an account has one owner.
 */
export async function giveTo(tx: Db, groupId: number, newOwner: number): Promise<void> {
  const [owner] = await rows(
    tx,
    sql`select from owners where owner_id = ${newOwner} and deleted_at is null for key share`,
  )
  if (!owner) throw refused(`No owner ${newOwner}`, { newOwner: `No owner ${newOwner}` })
  const accounts = sql`select system_user_id from websites where group_id = ${groupId} and deleted_at is null`
  await tx.execute(
    sql`select from system_users where system_user_id in (${accounts}) order by system_user_id for update`,
  )
  const [stranger] = await rows<{ domain: string; username: string }>(
    tx,
    sql`select w.domain, u.username from websites w join system_users u on u.system_user_id = w.system_user_id
      where w.system_user_id in (${accounts}) and w.group_id is distinct from ${groupId} and w.deleted_at is null
        and w.parent_id is null
      order by w.domain limit 1`,
  )
  if (stranger)
    throw refused(
      `${stranger.domain} runs under the account ${stranger.username} too and is not in this group: add it first`,
    )
  const nextVersion = sql`version = version + 1, updated_at = now()`
  await tx.execute(
    sql`update system_users set owner_id = ${newOwner}, ${nextVersion} where system_user_id in (${accounts})`,
  )
  await tx.execute(
    sql`update websites set owner_id = ${newOwner}, ${nextVersion} where system_user_id in (${accounts}) and deleted_at is null`,
  )
  await tx.execute(
    sql`update website_groups set owner_id = ${newOwner}, ${nextVersion} where website_group_id = ${groupId}`,
  )
  for (const domain of ['websites', 'systemUsers', 'owners']) await changed(tx, domain)
}
