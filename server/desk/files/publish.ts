import { sql } from 'drizzle-orm'
import { notify } from '../../access/notifications/notify.ts'
import type { Staff } from '../../kit/access/sessions.ts'
import { namesText } from '../../kit/app/namesText.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/errors.ts'

/**
 * A file that becomes public is on the internet, so whoever moves it into a public place, or makes the place public, names
 * the number of files that this publishes. The 409 names it for them, as `current.publishes`.
 */
interface Published {
  name: string
  ownerId: number
}

export function askFirst(published: readonly Published[], confirmed: number | undefined): void {
  if (published.length === (confirmed ?? 0)) return
  const n = published.length
  const what = n === 1 ? '1 file becomes' : `${n} files become`
  throw conflict(
    n === 0
      ? 'No file becomes public by this any more: send it again without publishes'
      : `${what} readable by everybody who has the address, without signing in: ${namesText(
          published.map(({ name }) => name),
          3,
        )}. Confirm with publishes: ${n}`,
    { current: { publishes: n } },
  )
}

/** Notifies other people whose files the caller published. */
export async function notifyOwners(db: Db, staff: Staff, published: readonly Published[]): Promise<void> {
  const others = Map.groupBy(
    published.filter(({ ownerId }) => ownerId !== staff.id),
    ({ ownerId }) => ownerId,
  )
  for (const [owner, files] of others)
    await notify(db, {
      to: [owner],
      reason: 'files',
      level: 'warning',
      title: `${staff.name} made ${files.length === 1 ? 'a file' : `${files.length} files`} of yours public`,
      body: `${namesText(
        files.map(({ name }) => name),
        5,
      )}. Everybody who has the address can read it without signing in.`,
      link: '/ifm',
    })
}

/** Ids of a folder and of the folders below it that are hidden now. */
export async function hiddenBelow(db: Db, id: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`with recursive below as (select folder_id as id, hidden from folders where folder_id = ${id}
        union all select f.folder_id, f.hidden from folders f join below on f.parent_id = below.id)
      select id from below where hidden`,
  )
  return found.map(({ id: folder }) => folder)
}

/**
 * Files of folders that were hidden and are public now. Files in the trash and unfinished uploads, about which nobody is
 * asked, become private.
 */
export async function publishedIn(db: Db, wereHidden: readonly number[]): Promise<Published[]> {
  if (!wereHidden.length) return []
  const opened = sql`(select folder_id from folders where folder_id = any(${sql.param([...wereHidden])}::int[]) and not hidden)`
  await db.execute(sql`update files set is_private = true, version = version + 1
    where folder_id in ${opened} and deleted_at is not null and not is_private`)
  await db.execute(sql`update file_uploads set is_private = true where folder_id in ${opened} and not is_private`)
  return rows<Published>(
    db,
    sql`select name, owner_id as "ownerId" from files
      where folder_id in ${opened} and deleted_at is null and not is_private order by lower(name), file_id`,
  )
}
