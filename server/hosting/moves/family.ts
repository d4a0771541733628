import { basename, dirname } from 'node:path'
import { and, eq, isNull, or } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { below } from '../websites/family.ts'
import { readSites } from '../websites/site.ts'
import type { Site } from '../websites/siteSteps.ts'
import { websites } from '../websites/tables.ts'

export type Row = typeof websites.$inferSelect

/** A website and its members, the website first. */
const allOf = (db: Db, id: number): Promise<Row[]> =>
  db
    .select()
    .from(websites)
    .where(and(or(eq(websites.id, id), below(id)), isNull(websites.deletedAt)))
    .orderBy(websites.id)
    .then((found) => found.toSorted((a, b) => Number(b.id === id) - Number(a.id === id)))

/** Selects the members that move with their website. */
export interface Going {
  /** Absent: staging copies move too. */
  withCopies?: boolean | undefined
  /** The websites that a rollback moves back; empty: the website and its present copies. */
  sites?: readonly { id: number }[]
}

/**
 * The websites that move together, the website itself first, and the staging copies that stay: by choice, because they
 * are already on another server, or because they were created after the move that is rolled back. The names of a copy
 * stay with the copy.
 */
export async function familyOf(
  db: Db,
  id: number,
  { withCopies = true, sites = [] }: Going = {},
): Promise<{ family: Row[]; staying: Row[] }> {
  const all = await allOf(db, id)
  const [main] = all
  const stays = (one: Row) =>
    one.kind === 'staging' &&
    one.id !== id &&
    (!withCopies || one.serverId !== main?.serverId || (sites.length > 0 && !sites.some((site) => site.id === one.id)))
  const staying = all.filter(stays)
  const without = (one: Row) => !staying.some((copy) => copy.id === one.id || copy.id === one.parentId)
  return { family: all.filter(without), staying }
}

/** Members with a site file of the web server: all except aliases, which are names in another site file. */
export const servedOf = (db: Db, family: readonly Row[]): Promise<Site[]> =>
  readSites(
    db,
    family.filter(({ kind }) => kind !== 'alias').map(({ id }) => id),
  )

/** Folder of a website, including the files beside its document root. */
export const folderOf = ({ documentRoot, domain }: Pick<Site, 'documentRoot' | 'domain'>): string =>
  basename(dirname(documentRoot)) === domain ? dirname(documentRoot) : documentRoot

/** Folders of several websites. Folders inside another of them are omitted, so that each file is copied once. */
export function foldersOf(sites: readonly Pick<Site, 'documentRoot' | 'domain'>[]): string[] {
  const all = [...new Set(sites.map(folderOf))]
  return all.filter((folder) => !all.some((other) => other !== folder && folder.startsWith(`${other}/`)))
}
