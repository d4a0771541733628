import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import type { WantedMail } from '@innkeeper/contract/recovery/backups/mailShapes'
import type { BackupPart } from '@innkeeper/contract/recovery/backups/shapes'
import type { RestoreScope, SettingKind } from '@innkeeper/contract/recovery/backups/values'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { storedBackup } from '../runs/view.ts'

export interface Wanted {
  backupId: number
  /** Restore from the copy on the other backup server. */
  copy?: boolean | undefined
  scope: RestoreScope
  paths?: string[] | undefined
  databases?: number[] | undefined
  tables?: { database: number; tables: string[] }[] | undefined
  settings?: SettingKind[] | undefined
  mail?: WantedMail | undefined
  /** The website that receives the restore, if not that of the backup. */
  websiteId?: number | undefined
  into?: { database: number; target: number }[] | undefined
  /** False: databases keep the name of the website of the backup. */
  names?: boolean | undefined
  /** Domain of a new website that receives the restore. */
  domain?: string | undefined
  originServer?: number | undefined
  userId?: number | undefined
  plan?: number | undefined
  phpVersion?: string | undefined
}
/** A database of a backup that is restored, with `tables` only these tables. */
export interface Dumped {
  id: number
  engine: DatabaseEngine
  name: string
  snapshot: string
  tables?: string[]
}
export type Content = Awaited<ReturnType<typeof contentOf>>

/** The files, databases and settings that a restore takes from a backup. */
export async function contentOf(db: Db, { backupId, copy, scope, paths, databases: chosen, tables = [] }: Wanted) {
  const backup = await storedBackup(db, backupId, copy)
  if (backup.leaving) throw refused('This backup is being removed')
  const content = scope !== 'config only'
  const part = backup.parts.find(({ resource }) => resource === 'website')
  const files = content && paths?.length !== 0 ? (part?.snapshot ?? undefined) : undefined
  if (content && paths?.length && !files) throw refused('This backup has no files', { paths: 'There are none' })
  const dumped = backup.parts.filter(({ resource, snapshot }) => resource === 'mysql' && snapshot)
  const strange = chosen?.find((id) => !dumped.some(({ resourceId }) => resourceId === id))
  if (strange !== undefined)
    throw refused(`Database ${strange} is not in this backup`, { databases: 'Is not in this backup' })
  const wanted = content ? dumped.filter(({ resourceId }) => !chosen || chosen.includes(resourceId)) : []
  checkTables(wanted, tables)
  const engines = new Map(backup.configuration.databases.map(({ databaseId, engine }) => [databaseId, engine]))
  return {
    backup,
    files,
    bytes: files ? part?.bytes : undefined,
    paths: paths?.length ? [...new Set(paths)] : undefined,
    dumped: wanted
      .map(({ resourceId: id, name, snapshot }): Dumped => {
        const some = tables.find(({ database }) => database === id)
        const engine = engines.get(id) ?? 'mariadb'
        return { id, engine, name, snapshot: snapshot ?? '', ...(some && { tables: [...new Set(some.tables)] }) }
      })
      .sort((a, b) => a.id - b.id),
  }
}

function checkTables(wanted: BackupPart[], tables: { database: number; tables: string[] }[]): void {
  const refuse = (why: string) => refused(why, { tables: why })
  for (const { database, tables: some } of tables) {
    const part = wanted.find(({ resourceId }) => resourceId === database)
    if (!part) throw refuse(`Tables of database ${database} are chosen, but not the database`)
    const lacking = part.tables && some.filter((table) => !part.tables?.includes(table))
    if (lacking?.length) throw refuse(`${part.name} has no table ${lacking.slice(0, 5).join(', ')} in this backup`)
  }
}
