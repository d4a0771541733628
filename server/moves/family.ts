import { basename, dirname } from 'node:path'
import { and, eq, isNull, or } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { below } from '../websites/family.ts'
import { readSites } from '../websites/site.ts'
import type { Site } from '../websites/siteSteps.ts'
import { websites } from '../websites/tables.ts'

export type Row = typeof websites.$inferSelect

/** A website and its members, the website first. They move together. */
export const familyOf = (db: Db, id: number): Promise<Row[]> =>
  db
    .select()
    .from(websites)
    .where(and(or(eq(websites.id, id), below(id)), isNull(websites.deletedAt)))
    .orderBy(websites.id)
    .then((found) => found.toSorted((a, b) => Number(b.id === id) - Number(a.id === id)))

/** Members with a site file of the web server: all but aliases, which are names in another file. */
export const servedOf = (db: Db, family: readonly Row[]): Promise<Site[]> =>
  readSites(
    db,
    family.filter(({ kind }) => kind !== 'alias').map(({ id }) => id),
  )

/** Folder of a website, including the files beside its document root. */
export const folderOf = ({ documentRoot, domain }: Pick<Site, 'documentRoot' | 'domain'>): string =>
  basename(dirname(documentRoot)) === domain ? dirname(documentRoot) : documentRoot

/** Folders of several websites without those inside another, so that each file is copied once. */
export function foldersOf(sites: readonly Pick<Site, 'documentRoot' | 'domain'>[]): string[] {
  const all = [...new Set(sites.map(folderOf))]
  return all.filter((folder) => !all.some((other) => other !== folder && folder.startsWith(`${other}/`)))
}
