import type { WantedMail } from '@innkeeper/contract/recovery/backups/mailShapes'
import type { Backup } from '@innkeeper/contract/recovery/backups/shapes'
import type { RestoreScope, SettingKind } from '@innkeeper/contract/recovery/backups/values'

/** The receiving database of each database, and the tables if only some are restored. */
interface Into {
  database: number
  target: number
}
interface Tables {
  database: number
  tables: string[]
}
export interface Wish {
  copy: boolean
  scope: RestoreScope
  paths: string[] | undefined
  databases: number[]
  tables: Tables[] | undefined
  into: Into[] | undefined
  settings: SettingKind[]
  /** Databases get the name of the receiving website. */
  names: boolean
  mail: WantedMail
  websiteId: number | undefined
  domain: string | undefined
  originServer: number | undefined
  /** Confirms the other owner who receives the content. */
  userId: number | undefined
  phpVersion: string | undefined
}

export const dumpedOf = (backup: Backup) =>
  backup.parts.filter(({ resource, snapshot }) => resource === 'mysql' && snapshot)
export const filesOf = (backup: Backup) =>
  backup.parts.find(({ resource, snapshot }) => resource === 'website' && snapshot)

export const settingsOf = (backup: Backup) =>
  backup.parts.find(({ resource, snapshot }) => resource === 'settings' && snapshot)?.holds ?? []

/** Initial values for a restore of everything, or only of the chosen files. */
export const initialOf = (backup: Backup, paths: string[] | undefined): Wish => ({
  copy: false,
  settings: [],
  names: true,
  mail: [],
  scope: paths ? 'server only' : 'server and config',
  paths: paths ?? (filesOf(backup) ? undefined : []),
  databases: paths ? [] : dumpedOf(backup).map(({ resourceId }) => resourceId),
  ...{ tables: undefined, into: undefined, websiteId: undefined, domain: undefined },
  ...{ originServer: undefined, userId: undefined, phpVersion: undefined },
})
