import type { DatabaseExport, DatabaseImport } from '@innkeeper/contract/hosting/databases/dumps'
import { and, desc, eq, inArray, ne, type SQL } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { databaseExports, databaseImports, databases } from '../tables.ts'

const MOST = 20

export async function readImports(db: Db, which: SQL): Promise<DatabaseImport[]> {
  const found = await db
    .select({ row: databaseImports, databaseName: databases.name, websiteId: databases.websiteId })
    .from(databaseImports)
    .innerJoin(databases, eq(databases.id, databaseImports.databaseId))
    .where(which)
    .orderBy(desc(databaseImports.id))
    .limit(MOST)
  return found.map(({ row: { staffName, revertsId: _, createdBy: __, ...row }, ...of }) => ({
    ...row,
    ...of,
    by: staffName,
  }))
}

/** One import with its database. Throws 404 if it is missing. */
export async function readImport(db: Db, id: number): Promise<DatabaseImport> {
  const [found] = await readImports(db, eq(databaseImports.id, id))
  if (!found) throw notFound('import', id)
  return found
}

export async function readExports(db: Db, which: SQL): Promise<DatabaseExport[]> {
  const found = await db
    .select({ row: databaseExports, databaseName: databases.name })
    .from(databaseExports)
    .innerJoin(databases, eq(databases.id, databaseExports.databaseId))
    .where(which)
    .orderBy(desc(databaseExports.id))
    .limit(MOST)
  return found.map(({ row: { staffName, key: _, createdBy: __, ...row }, databaseName }) => ({
    ...row,
    databaseName,
    by: staffName,
  }))
}

export const importsOf = (db: Db, databaseId: number) =>
  readImports(db, and(eq(databaseImports.databaseId, databaseId), ne(databaseImports.status, 'discarded'))!)
export const exportsOf = (db: Db, databaseId: number) =>
  readExports(
    db,
    and(eq(databaseExports.databaseId, databaseId), inArray(databaseExports.status, ['running', 'ready', 'failed']))!,
  )
