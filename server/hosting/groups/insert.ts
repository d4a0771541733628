import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { groups } from '../websites/tables.ts'

/** Throws 422 unless the owner and the main website exist. */
export async function fitMain(db: Db, ownerId: number, id: number): Promise<void> {
  const [owner] = await rows(db, sql`select from owners where owner_id = ${ownerId} and deleted_at is null`)
  if (!owner) throw refused(`No owner ${ownerId}`, { ownerId: `No owner ${ownerId}` })
  const [site] = await rows(db, sql`select from websites where website_id = ${id} and deleted_at is null`)
  if (!site) throw refused(`No website ${id}`, { mainWebsite: `No website ${id}` })
}

type Values = Omit<typeof groups.$inferInsert, 'id'>
export const insert = async (db: Db, values: Values): Promise<number> =>
  (await db.insert(groups).values(values).returning({ id: groups.id }))[0]!.id

/** Inserts a group with an id that the caller chose, and moves the id sequence past it. */
export async function insertAs(db: Db, id: number, { ownerId, mainWebsite, createdBy }: Values): Promise<number> {
  const [made] = await rows(
    db,
    sql`insert into website_groups (website_group_id, owner_id, main_website, created_by) overriding system value
      values (${id}, ${ownerId}, ${mainWebsite}, ${createdBy}) on conflict do nothing returning website_group_id`,
  )
  if (!made) throw conflict(`There is a website group ${id} already`, { fields: { id: 'There is one already' } })
  await db.execute(sql`select setval(pg_get_serial_sequence('website_groups', 'website_group_id'),
    (select max(website_group_id) from website_groups))`)
  return id
}
