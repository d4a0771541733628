import type { Staging } from '@innkeeper/contract/hosting/stagings/shapes'
import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import { aliasedTable, and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { notFound } from '../../kit/http/errors.ts'
import { databaseGrants, databases, databaseUsers } from '../databases/tables.ts'
import { websites } from '../websites/tables.ts'
import { readWebsites } from '../websites/view.ts'
import { stagings } from './tables.ts'

export interface Of {
  id: number
  name: string
  engine: DatabaseEngine
}

/** A live database and its copy, each with an account that has access. */
export interface Pair {
  live: Of & { user: string }
  copy: Of & { user: string; secret: string }
}

/** Copies of a website that are not deleted, oldest first. For a copy, the copy itself. */
export async function readStagings(db: Db, websiteId: number): Promise<Staging[]> {
  const live = aliasedTable(websites, 'live')
  const found = await db
    .select({ staging: stagings, liveDomain: live.domain, kind: websites.kind })
    .from(stagings)
    .innerJoin(websites, eq(websites.id, stagings.id))
    .innerJoin(live, eq(live.id, stagings.liveId))
    .where(and(isNull(websites.deletedAt), inArray(stagings.id, await idsOf(db, websiteId))))
    .orderBy(asc(stagings.id))
  const sites = await readWebsites(
    db,
    found.map(({ staging }) => staging.id),
  )
  const all: Staging[] = []
  for (const { staging, liveDomain } of found) {
    const website = sites.find(({ id }) => id === staging.id)
    if (!website) continue
    const pairs = await pairsOf(db, staging.id)
    all.push({
      website,
      liveId: staging.liveId,
      liveDomain,
      copiedAt: staging.copiedAt,
      report: staging.report,
      databases: pairs.map(({ copy, live }) => ({
        id: copy.id,
        name: copy.name,
        liveId: live.id,
        liveName: live.name,
      })),
    })
  }
  return all
}

async function idsOf(db: Db, websiteId: number): Promise<number[]> {
  const copies = await db.select({ id: stagings.id }).from(stagings).where(eq(stagings.liveId, websiteId))
  return [websiteId, ...copies.map(({ id }) => id)]
}

/** Row of one copy. Throws 404 if it is missing. */
export async function readStaging(db: Db, id: number) {
  const [found] = await db
    .select({ staging: stagings })
    .from(stagings)
    .innerJoin(websites, eq(websites.id, stagings.id))
    .where(and(eq(stagings.id, id), isNull(websites.deletedAt)))
  if (!found) throw notFound('staging copy', id)
  return found.staging
}

/** Databases of a copy whose live database still exists, with an account of each. */
export async function pairsOf(db: Db, stagingId: number): Promise<Pair[]> {
  const live = aliasedTable(databases, 'live')
  const found = await db
    .select({ copy: databases, live })
    .from(databases)
    .innerJoin(live, and(eq(live.id, databases.copyOfId), isNull(live.deletedAt)))
    .where(and(eq(databases.websiteId, stagingId), isNull(databases.deletedAt)))
    .orderBy(asc(databases.id))
  const pairs: Pair[] = []
  for (const one of found) {
    const [copy, theirs] = [await accountOf(db, one.copy.id), await accountOf(db, one.live.id)]
    if (copy && theirs)
      pairs.push({
        live: { id: one.live.id, engine: one.live.engine, name: one.live.name, user: theirs.user },
        copy: { id: one.copy.id, engine: one.copy.engine, name: one.copy.name, ...copy },
      })
  }
  return pairs
}

/** The first database account with all privileges on a database. */
export async function accountOf(db: Db, databaseId: number): Promise<{ user: string; secret: string } | undefined> {
  const [found] = await db
    .select({ user: databaseUsers.username, secret: databaseUsers.secret })
    .from(databaseGrants)
    .innerJoin(databaseUsers, eq(databaseUsers.id, databaseGrants.databaseUserId))
    .where(
      and(
        eq(databaseGrants.databaseId, databaseId),
        eq(databaseGrants.privileges, 'all'),
        isNull(databaseUsers.deletedAt),
      ),
    )
    .orderBy(asc(databaseUsers.id))
    .limit(1)
  return found
}
