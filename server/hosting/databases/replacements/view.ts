import type { Replacement } from '@innkeeper/contract/hosting/databases/replacements'
import { and, desc, eq, isNull, type SQL } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { websites } from '../../websites/tables.ts'
import { databaseReplacements, databases } from '../tables.ts'

const MOST = 20
type Row = typeof databaseReplacements.$inferSelect

export async function readReplacements(db: Db, which: SQL): Promise<Replacement[]> {
  const found = await db
    .select({ row: databaseReplacements, now: websites.serverId, there: servers.name })
    .from(databaseReplacements)
    .innerJoin(websites, eq(websites.id, databaseReplacements.websiteId))
    .innerJoin(servers, eq(servers.id, databaseReplacements.serverId))
    .where(which)
    .orderBy(desc(databaseReplacements.id))
    .limit(MOST)
  const [first] = found
  const live = first
    ? await db
        .select({ id: databases.id })
        .from(databases)
        .where(and(eq(databases.websiteId, first.row.websiteId), isNull(databases.deletedAt)))
    : []
  const ids = new Set(live.map(({ id }) => id))
  return found.map(({ row, now, there }) => {
    const { staffName, serverId: _, createdBy: __, ...shown } = row
    return { ...shown, by: staffName, notRevertible: whyNot(row, now, there, ids) }
  })
}

function whyNot({ status, keptUntil, serverId, databases: some }: Row, now: number, there: string, live: Set<number>) {
  if (status !== 'replaced') return `This replacement is ${status}`
  if (Date.parse(keptUntil) < Date.now()) return 'The former values are no longer kept'
  if (serverId !== now) return `The website has moved since: the former values are on ${there}`
  const gone = some.find(({ id }) => !live.has(id))
  return gone ? `${gone.name} is deleted: restore that database first` : null
}

/** One replacement. Throws 404 if it is missing. */
export async function readReplacement(db: Db, id: number): Promise<Replacement> {
  const [found] = await readReplacements(db, eq(databaseReplacements.id, id))
  if (!found) throw notFound('replacement', id)
  return found
}
