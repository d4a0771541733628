import * as z from 'zod'
import { phpParameters } from '../../hosting/phpParameters.ts'
import { databaseEngine } from '../../kit/values.ts'

/** The website at the time of the backup. */
export const BackedWebsite = z.object({
  websiteId: z.int(),
  domain: z.string(),
  serverName: z.string(),
  username: z.string(),
  path: z.string(),
  documentRoot: z.string(),
  phpVersion: z.string(),
  /** Absent: the defaults, or the backup is older than this field. */
  phpParameters: phpParameters.optional(),
  names: z.array(z.string()),
})
export type BackedWebsite = z.output<typeof BackedWebsite>
export const BackedDatabase = z.object({
  databaseId: z.int(),
  /** Absent: MariaDB. */
  engine: databaseEngine.optional(),
  name: z.string(),
  charset: z.string(),
  collation: z.string(),
  users: z.array(z.string()),
})
export type BackedDatabase = z.output<typeof BackedDatabase>
