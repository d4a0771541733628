import * as z from 'zod'
import { formerDatabase } from '../hosting/databases/dumps.ts'
import { blobKey, databaseName, databaseUsername, dumpFile, pathWithin, spoolFile, username } from '../kit/values.ts'
import { charset, collation, engine } from './databases.ts'
import { sha256 } from './shapes.ts'

/** Databases that the dump names, and whose names are left out before those of tables. MariaDB only. */
const readAs = z.array(formerDatabase).max(20).optional()

/** Operations on dumps that people import or export. */
export const dumpsOperations = {
  /**
   * Brings a dump into the spool folder: from Innkeeper's storage, or from the home folder of an account, read as this
   * account. Undo deletes it there.
   */
  'dump.fetch': z.object({
    file: dumpFile,
    /** In Innkeeper's storage. */
    blob: z.object({ key: blobKey, size: z.int().min(1), sha256 }).optional(),
    /** Or in the home folder of an account. */
    home: z.object({ username, path: pathWithin }).optional(),
  }),
  /**
   * Reads a whole dump. Answers its sha256, its size and what an import would change or refuse. `scratch`: a database that does not
   * exist, in which the statements are tried if the disk has room; it is dropped in any case. On PostgreSQL it gets the owner of `name`.
   */
  'dump.look': z.object({
    engine,
    file: dumpFile,
    mostBytes: z.int().min(1),
    readAs,
    scratch: z.object({ aside: databaseName, name: databaseName.optional(), charset, collation }).optional(),
  }),
  /** Deletes a dump that was imported. */
  'dump.drop': z.object({ file: dumpFile }),
  /** Sends a dump of the spool folder to Innkeeper's storage under the key, then deletes it here. */
  'dump.send': z.object({ file: spoolFile, key: blobKey, sha256 }),
  /**
   * Loads a dump into the new database `aside`, as an account with rights on `aside` only; MariaDB enforces that.
   * Views, triggers, routines and events then run as `definer`. `former`: instead loads, unchanged, Innkeeper's own
   * dump of `was` from the trash of one of these actions. `fresh`: `aside` is the empty database of an earlier action, and no
   * exchange follows; MariaDB only.
   */
  'database-import.load': z.object({
    engine,
    aside: databaseName,
    /** The database that `aside` replaces later. On PostgreSQL, `aside` gets the same owner and access rights. */
    name: databaseName.optional(),
    charset,
    collation,
    foreign: z
      .object({
        file: dumpFile,
        /** That of the dump which was looked at. */
        sha256: sha256.optional(),
        /** Or the dumps that an earlier action has written, with their checksums. */
        written: z
          .array(z.object({ file: dumpFile, sha256 }))
          .max(1000)
          .optional(),
        mostBytes: z.int().min(1),
        definer: databaseUsername,
        readAs,
      })
      .optional(),
    fresh: z.literal(true).optional(),
    former: z.object({ taken: z.array(z.int().min(1)).min(1).max(20), was: databaseName }).optional(),
  }),
  /** The contents of `name` move to `before`, those of `aside` to `name`. Undo moves both back. */
  'database-import.swap': z.object({ engine, name: databaseName, aside: databaseName, before: databaseName }),
} as const
