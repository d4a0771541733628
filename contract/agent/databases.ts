import * as z from 'zod'
import {
  columnName,
  databaseEngine,
  databaseHash,
  databaseHost,
  databaseName,
  databasePassword,
  databasePrivilege,
  databaseSql,
  databaseUsername,
  domain,
  filterHow,
  charset as mariadbCharset,
  collation as mariadbCollation,
  postgresqlShape,
  replacedText,
  replaceHow,
  spoolFile,
  tableName,
} from '../kit/values.ts'
import { keepDays, sha256, taken } from './shapes.ts'

/** An account as a dump names it: `shop@localhost`. */
const runsAs = z.string().regex(/^[^\p{Cc}]{1,400}$/u)

/** Describes the contents of a database at one moment. A later dump compares with it to find changed tables. */
export const databaseMarks = z.object({
  /** Clock of MariaDB before the marks were read, in seconds since the epoch. */
  at: z.int().min(0).max(4_294_967_295),
  /** Digest of all definitions. Null: the database has objects that only a full dump contains. */
  shape: sha256.nullable(),
  /** Per table: `number` is InnoDB's table id, null for another engine; `sum` is MariaDB's checksum of the contents. */
  tables: z.record(z.string(), z.object({ number: z.int().nullable(), sum: z.string().nullable() })),
})
export type DatabaseMarks = z.output<typeof databaseMarks>

export const charset = z.union([mariadbCharset, z.literal(postgresqlShape.charset)])
export const collation = z.union([mariadbCollation, z.literal(postgresqlShape.collation)])
/** Absent: MariaDB. */
export const engine = databaseEngine.optional()

/**
 * Absent: connections from this machine, by the socket or loopback. Otherwise the address or network from which the
 * account reaches the engine through the firewall, with TLS.
 */
const host = databaseHost.optional()

/** True: fails if the server has this name already and this action did not create it. */
const fresh = z.boolean().optional()

/** Which text is replaced, in all tables of a database or in some. */
const replacing = {
  engine,
  name: databaseName,
  from: replacedText,
  to: replacedText,
  how: replaceHow,
  tables: z.array(tableName).min(1).max(1000).optional(),
}

/** Operations on databases and their accounts. */
export const databasesOperations = {
  /**
   * Lets Innkeeper's accounts, and nobody else, connect to PostgreSQL by password, over the socket and loopback. An
   * agent without this operation supports MariaDB only.
   */
  'postgresql-access.ensure': z.object({}),
  /** Creates a database. Undo dumps a database that this action created into the trash and drops it. */
  'database.ensure': z.object({ engine, name: databaseName, charset, collation, fresh }),
  /** Dumps the database into the trash of the server and drops it. Undo loads the dump. */
  'database.remove': z.object({ engine, name: databaseName, keepDays }),
  'database.restore': z.object({ engine, name: databaseName, taken, keepDays }),
  /**
   * Renames a database: its tables move, its views, triggers, routines and events are created again. Undo renames it
   * back.
   */
  'database.rename': z.object({ engine, name: databaseName, newName: databaseName }),
  /** Changes the character set of a database, and of its tables with `existing`. Undo restores the former ones. */
  'database.convert': z.object({ engine, name: databaseName, charset, collation, existing: z.boolean() }),
  /** An account with exactly these privileges. Without `password` the password stays. */
  'database-user.ensure': z.object({
    engine,
    user: databaseUsername,
    host,
    /** The password, or its hash if the account came with an archive and nobody knows the password. */
    password: z.union([databasePassword, databaseHash]).optional(),
    grants: z
      .array(
        z.object({
          database: databaseName,
          privileges: z.enum(['all', 'read', 'custom']),
          chosen: z.array(databasePrivilege).max(30).optional(),
        }),
      )
      .max(100),
    locked: z.boolean(),
    fresh,
  }),
  'database-user.remove': z.object({ engine, user: databaseUsername, host, keepDays }),
  'database-user.restore': z.object({ engine, user: databaseUsername, host, taken, keepDays }),
  /** Answers the `marks` of the current contents. With `expected`, fails if a table has another checksum than there. */
  'database.marks': z.object({
    engine,
    name: databaseName,
    expected: z.record(z.string(), z.string().nullable()).optional(),
    /** No table besides the expected ones may exist. */
    complete: z.boolean().optional(),
  }),
  /** Fails if the database, or one of these tables, has changed since the marks were read. */
  'database.unchanged': z.object({
    engine,
    name: databaseName,
    since: databaseMarks,
    tables: z.array(tableName).min(1).max(1000).optional(),
  }),
  /** Dumps into a file of the spool folder. Answers the sha256 of the file and the rows of each table in it. */
  'database.dump': z.object({
    engine,
    name: databaseName,
    file: spoolFile,
    tables: z.array(tableName).min(1).max(1000).optional(),
    /** Dumps only tables that differ from these marks. Answers `whole` if a full dump was necessary. */
    changedSince: databaseMarks.optional(),
  }),
  /**
   * Loads a dump into the database, or only its `tables`. Everything that the load replaces is first dumped into `keep`
   * of the spool folder, which undo loads. `definer` replaces the account under which views, triggers and routines run.
   * Without it, the load is refused if an account that the dump names does not exist.
   */
  'database.load': z.object({
    engine,
    name: databaseName,
    file: spoolFile,
    sha256: sha256.optional(),
    /**
     * Accounts (`shop@localhost`) under which views, triggers and routines of the dump run, as `database.dump`
     * answered. With `sha256`, the load trusts this list and reads the file only once.
     */
    definers: z.array(runsAs).max(1000).optional(),
    definer: databaseUsername.optional(),
    tables: z.array(tableName).min(1).max(1000).optional(),
    /**
     * `go`: drops tables that the dump lacks, because they did not exist then. Absent: the dump must contain all
     * `tables`.
     */
    lacking: z.literal('go').optional(),
    keep: spoolFile.optional(),
    /**
     * Replaces tables of an earlier load by a newer dump, of the `whole` database or of the changed tables. Keeps no copy
     * of the former tables, because undo of the earlier load reverts both.
     */
    renew: z.boolean().optional(),
    whole: z.boolean().optional(),
    /** Deletes the file after the load. */
    spent: z.boolean().optional(),
  }),
  /**
   * Answers which accounts reach which engine from which addresses, by the current settings of firewall and engines.
   */
  'remote-access.look': z.object({}),
  /** Answers the bytes on disk of every database of the server, in one pass. */
  'databases.measure': z.object({ engine }),
  /** Answers the open connections that use the database, with their statements. */
  'database.connections': z.object({ engine, name: databaseName }),
  /** Ends a connection, if it still uses the database. */
  'database-connection.end': z.object({ engine, name: databaseName, connection: z.int().min(1) }),
  /**
   * Runs SQL as an account that may only read this database, and answers its rows. The account is deleted afterwards,
   * so that undo is not needed.
   */
  'database.query': z.object({
    engine,
    name: databaseName,
    sql: databaseSql,
    rows: z.int().min(1).max(1000),
    seconds: z.int().min(1).max(60),
  }),
  /**
   * Runs one statement that changes rows, in a transaction, and answers the number of rows that changed. Without
   * `expected`, the transaction is rolled back. With `expected`, the transaction is committed if this many rows changed.
   */
  'database.write': z.object({
    engine,
    name: databaseName,
    sql: databaseSql,
    seconds: z.int().min(1).max(60),
    expected: z.int().min(0).max(1_000_000).optional(),
  }),
  /** Answers the slow statements of a database, normalised, with what they cost. */
  'database.slow': z.object({ engine, name: databaseName }),
  /**
   * Answers the columns of a table and a page of its rows, in the order of its key, as an account that may only read.
   * `after`: the key of the last row of the page before.
   */
  'database.browse': z.object({
    engine,
    name: databaseName,
    table: tableName,
    filter: z.object({ column: columnName, how: filterHow, text: z.string().max(1000) }).optional(),
    after: z.array(z.string().max(3100)).max(16).optional(),
    rows: z.int().min(1).max(200),
    seconds: z.int().min(1).max(60),
  }),
  /** Answers which values `database.replace` would change, with samples, and which would stay. Changes nothing. */
  'database.search': z.object({ ...replacing, seconds: z.int().min(1).max(60) }),
  /**
   * Replaces a text in values: in serialized data of PHP with their lengths, and in JSON. The former values are kept in
   * `keep` of the spool folder. Undo puts them back, except those that somebody has changed since.
   */
  'database.replace': z.object({ ...replacing, keep: spoolFile }),
  /**
   * Replaces a host name, and names below it, after tables came from another website. As `database.replace`, but finds
   * the name also in mail addresses and below other names; `to` itself stays if it contains the name.
   */
  'database.own-names': z.object({
    ...{ engine, name: databaseName, tables: replacing.tables, keep: spoolFile },
    ...{ from: domain, to: domain },
  }),
  /** Puts the `values` of a replacement back, except those that somebody has changed since. */
  'database.put-back': z.object({ engine, name: databaseName, file: spoolFile, values: z.int().min(0) }),
  /** Answers tables, rows, bytes and definers. `deep` counts rows and computes checksums instead of estimating. */
  'database.inspect': z.object({ engine, name: databaseName, deep: z.boolean() }),
} as const
