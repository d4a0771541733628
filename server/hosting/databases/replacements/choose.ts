import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { readWebsite } from '../../websites/view.ts'
import { databaseReplacements, databases } from '../tables.ts'
import type { Chosen, Wanted } from './steps.ts'

/** Maximum number of days that the agent keeps files in a spool folder. */
const MOST_DAYS = 30

interface Choice extends Wanted {
  databases?: { id: number; tables?: string[] | undefined }[] | undefined
}

export const liveOnes = (db: Db, websiteId: number) =>
  db
    .select()
    .from(databases)
    .where(and(eq(databases.websiteId, websiteId), isNull(databases.deletedAt)))
    .orderBy(databases.id)

/** The databases of a website in which a text is to be replaced. */
export async function chooseDatabases(
  db: Db,
  websiteId: number,
  { from, to, how, databases: some }: Choice,
): Promise<Chosen[]> {
  const { domain } = await readWebsite(db, websiteId)
  if (from === to) throw refused('Both texts are the same', { to: 'Is the same text' })
  for (const [field, text] of Object.entries(how !== 'text' ? { from, to } : {}))
    if (domainSchema.safeParse(text).data !== text.toLowerCase())
      throw refused(`${text} is not a domain`, { [field]: 'Is not a domain: choose “Text”' })
  const all = await liveOnes(db, websiteId)
  if (!all.length) throw refused(`${domain} has no database`, { databases: 'Has no database' })
  const strange = some?.find(({ id }) => !all.some((one) => one.id === id))
  if (strange)
    throw refused(`Database ${strange.id} does not belong to ${domain}`, {
      databases: `${strange.id} belongs to another website`,
    })
  const chosen = some ? all.filter(({ id }) => some.some((one) => one.id === id)) : all
  const busy = chosen.find(({ status }) => status !== 'active')
  if (busy)
    throw refused(`The database ${busy.name} is ${busy.status}: texts are replaced in active databases only`, {
      databases: `${busy.name} is ${busy.status}`,
    })
  return chosen.map((one) => ({ ...one, tables: some?.find(({ id }) => id === one.id)?.tables ?? null }))
}

/** Inserts a replacement and returns its id. */
export async function keepReplacement(
  { db, app, staff }: Pick<Context, 'db' | 'app' | 'staff'>,
  websiteId: number,
  wanted: Wanted,
  chosen: Chosen[],
): Promise<number> {
  const days = Math.min(app.settings.trashDays, MOST_DAYS)
  const [made] = await db
    .insert(databaseReplacements)
    .values({
      websiteId,
      serverId: chosen[0]!.serverId,
      ...wanted,
      status: 'replacing',
      databases: chosen.map(({ id, name, tables }) => ({ id, name, tables, result: null })),
      staffName: staff.name,
      keptUntil: sql`now() + make_interval(days => ${days}::int)` as unknown as string,
      createdBy: staff.id,
    })
    .returning({ id: databaseReplacements.id })
  if (!made) throw new Error('an insert answered no row')
  return made.id
}

/** Stores the workflow that replaces the texts, or that puts the former values back. */
export const begunBy = (
  db: Db,
  id: number,
  workflowId: number,
  status: (typeof databaseReplacements.$inferSelect)['status'] = 'replacing',
) => db.update(databaseReplacements).set({ workflowId, status }).where(eq(databaseReplacements.id, id))
