import * as z from 'zod'
import {
  charset,
  collation,
  databaseName,
  databasePassword,
  databaseUsername,
  spoolFile,
  tableName,
} from '../values.ts'
import { keepDays, sha256, taken } from './shapes.ts'

/** `shop@localhost`: an account as a dump names it. */
const runsAs = z.string().regex(/^[^\p{Cc}]{1,400}$/u)

/** What a database was at a moment: by it a later dump finds what has changed since. */
export const databaseMarks = z.object({
  /** Seconds since 1970 by MariaDB's own clock, from before anything of it was read. */
  at: z.int(),
  /** A digest of all its definitions. Null: it has what only a dump of everything brings. */
  shape: sha256.nullable(),
  /** InnoDB's number of each table, null for another engine, and MariaDB's own checksum of what is in it. */
  tables: z.record(z.string(), z.object({ number: z.int().nullable(), sum: z.string().nullable() })),
})
export type DatabaseMarks = z.output<typeof databaseMarks>

/** MariaDB databases and their accounts. */
export const databasesOperations = {
  /** A MariaDB database. Undo takes away one that this made, its dump into the trash. */
  'database.ensure': z.object({ name: databaseName, charset, collation }),
  /** Dumped into the trash of the server, then dropped; undo loads it again. */
  'database.remove': z.object({ name: databaseName, keepDays }),
  'database.restore': z.object({ name: databaseName, taken, keepDays }),
  /** An account that comes from this machine alone, with exactly these rights. Without a password: as it is. */
  'database-user.ensure': z.object({
    user: databaseUsername,
    password: databasePassword.optional(),
    grants: z.array(z.object({ database: databaseName, privileges: z.enum(['all', 'read']) })).max(100),
    locked: z.boolean(),
  }),
  'database-user.remove': z.object({ user: databaseUsername, keepDays }),
  'database-user.restore': z.object({ user: databaseUsername, taken, keepDays }),
  /** Answers the `marks` of what is in it now. */
  'database.marks': z.object({ name: databaseName }),
  /** Into a file of the spool folder; answers its sha256 and the rows of each table, as they are in it. */
  'database.dump': z.object({
    name: databaseName,
    file: spoolFile,
    tables: z.array(tableName).min(1).max(1000).optional(),
    /** Only tables that are not what they were then; answers whether it had to be the `whole` database after all. */
    changedSince: databaseMarks.optional(),
  }),
  /**
   * The database becomes what the dump is; `tables`: these alone, the rest stays. What it replaces is dumped first, into
   * `keep` of the spool folder, from where undo loads it. `definer`: views, triggers and routines run as this account;
   * absent: as those that the dump names, and it is refused where one of them is not there.
   */
  'database.load': z.object({
    name: databaseName,
    file: spoolFile,
    sha256: sha256.optional(),
    /**
     * Who its views, triggers and routines run as (`shop@localhost`), as its dump answered. With the sum: the file is not read
     * twice, what the dump said of it is so.
     */
    definers: z.array(runsAs).max(1000).optional(),
    definer: databaseUsername.optional(),
    tables: z.array(tableName).min(1).max(1000).optional(),
    /** Those of `tables` that the dump lacks were not there: they go. Else they have to be in it. */
    lacking: z.literal('go').optional(),
    keep: spoolFile.optional(),
    /**
     * What an earlier load brought becomes what it is by now: the dump is the `whole` database once more, or has those
     * tables that have changed. Nothing is kept: the earlier load is what undo takes back.
     */
    renew: z.boolean().optional(),
    whole: z.boolean().optional(),
    /** The file is needed no more afterwards: it goes. */
    spent: z.boolean().optional(),
  }),
  /** What is in it: tables, rows, bytes, who its views run as. `deep`: counted and summed, not estimated. */
  'database.inspect': z.object({ name: databaseName, deep: z.boolean() }),
} as const
