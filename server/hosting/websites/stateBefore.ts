import { eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { websites } from './tables.ts'

/** The state that a website which is being restored returns to. Its parts return to the same state. */
export async function stateBefore(db: Db, websiteId: number): Promise<'active' | 'suspended'> {
  const [row] = await db.select({ before: websites.statusBefore }).from(websites).where(eq(websites.id, websiteId))
  return row?.before ?? 'active'
}
