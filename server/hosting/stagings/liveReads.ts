import { HeldMail } from '@innkeeper/contract/hosting/stagings/shapes'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { App } from '../../kit/app/app.ts'
import { databases } from '../databases/tables.ts'
import { readSite } from '../websites/site.ts'
import { readStaging } from './read.ts'

export async function readHeldMail(app: App, id: number): Promise<HeldMail> {
  await readStaging(app.db, id)
  const { server, systemUser } = await readSite(app.db, id)
  return HeldMail.parse(await liveRead(app, server.id, 'held-mail.list', { username: systemUser.username }))
}

/** Databases of a website that can be copied. */
export const copyable = (db: App['db'], websiteId: number) =>
  db
    .select()
    .from(databases)
    .where(and(eq(databases.websiteId, websiteId), inArray(databases.status, ['active']), isNull(databases.deletedAt)))
    .orderBy(databases.id)
