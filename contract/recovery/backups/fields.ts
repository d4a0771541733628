import * as z from 'zod'
import { id, line } from '../../kit/endpoint.ts'
import { pathWithin, phpVersion, tableName } from '../../kit/values.ts'
import { wantedMail } from './mailShapes.ts'
import { restoreScope, settingKind } from './values.ts'

/** The parts of a backup that a restore takes, and its target. */
export const restoreFields = {
  backupId: id,
  scope: restoreScope.default('server and config'),
  /** Absent: everything. Empty: no files. */
  paths: z.array(pathWithin).max(100).optional(),
  /** Ids of databases of the backup. Absent: all. Empty: none. */
  databases: z.array(id).max(50).optional(),
  /** Of a database of the backup only these tables. */
  tables: z
    .array(z.object({ database: id, tables: z.array(tableName).min(1).max(1000) }))
    .max(50)
    .optional(),
  /** Settings that are restored too. Default: none, because the restore replaces the present settings. */
  settings: z
    .array(settingKind)
    .max(10)
    .refine((all) => new Set(all).size === all.length, 'Chosen twice')
    .default([]),
  /**
   * Mail domains whose messages are restored, with all or some of their mailboxes. Present messages stay. Default: none.
   */
  mail: wantedMail.default([]),
  /** True: restores from the copy on the other backup server. */
  copy: z.boolean().default(false),
  /** The website that receives the restore. Absent: the website of the backup. */
  websiteId: id.optional(),
  /**
   * The databases get the name of the receiving website instead of the name that the website of the backup had then, also
   * in names below it and in mail addresses.
   */
  names: z.boolean().default(true),
  /** Which database of another website receives a database of the backup. Absent: in the order of their creation. */
  into: z
    .array(z.object({ database: id, target: id }))
    .max(50)
    .optional(),
  /**
   * Domain of a new website that receives the restore. It gets server, owner, plan and PHP version of the other
   * website.
   */
  domain: line(253).optional(),
  originServer: id.optional(),
  /**
   * Owner of the new website. Confirms the owner of the receiving website, and is required if this is another owner than
   * that of the website of the backup: the content passes to that owner.
   */
  userId: id.optional(),
  plan: id.optional(),
  phpVersion: phpVersion.optional(),
}
