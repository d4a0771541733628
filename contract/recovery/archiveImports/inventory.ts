import * as z from 'zod'

/** What an archive of another hosting panel contains. Names and texts are foreign: nothing here has passed an allow-list. */

/**
 * Formats that can be read: archives of one account. `plain`: a folder with a dump. `machine`: websites that an agent packs on
 * an adopted machine.
 */
export const archiveFormats = [
  ...(['hestia', 'vesta', 'cpanel', 'directadmin', 'ispconfig', 'plesk', 'plain', 'machine'] as const),
] as const
export const archiveFormat = z.enum(archiveFormats)

/** Forms in which other panels keep passwords. `none`: the archive has no hash. `other`: a form that nothing here takes. */
export const hashForms = [
  ...(['none', 'md5-crypt', 'sha256-crypt', 'sha512-crypt', 'yescrypt', 'bcrypt', 'argon2'] as const),
  ...(['mysql-native', 'mysql-sha2', 'other'] as const),
] as const
export const hashForm = z.enum(hashForms)
export type HashForm = z.output<typeof hashForm>

const count = z.int().min(0)
const bytes = z.number().min(0)
/** Members of the archive that are not carried, by reason. */
export const Refused = z.record(z.string(), count)
export type Refused = z.output<typeof Refused>

/**
 * Seconds since the epoch of the newest that the archive has: what came there later is not in it, whenever the archive was
 * unpacked here. Absent in answers of older agents, and where nothing is.
 */
const newest = count.optional()

/**
 * Files of a part of the archive. `fault`: why the part cannot be read to its end. `disk`: bytes that they take on a disk, which
 * limits of accounts count; absent in answers of older agents.
 */
const files = {
  ...{ files: count, bytes, links: count, refused: Refused, fault: z.string().nullable(), newest },
  disk: bytes.optional(),
}

export const FoundWebsite = z.object({
  domain: z.string(),
  aliases: z.array(z.string()),
  /** For example `8.2`; null if the archive does not say. */
  phpVersion: z.string().nullable(),
  /** Folder of the pages on the former server. */
  root: z.string(),
  /** Why the folder of the pages cannot be carried as the folder of the website. */
  rootProblem: z.string().nullable(),
  ssl: z.boolean(),
  /** The certificate chain in PEM, if the archive has the certificate and its key. */
  certificate: z
    .object({
      ...{ chain: z.string(), notAfter: z.string(), names: z.array(z.string()) },
      /** Whether a program renewed it there, as Innkeeper does here. Absent in answers of older agents. */
      renews: z.boolean().optional(),
    })
    .nullable(),
  redirect: z.string().nullable(),
  /** Users of password-protected folders. */
  protectedBy: z.array(z.string()),
  suspended: z.boolean(),
  /** Words of its configuration files that may name databases. */
  mentions: z.array(z.string()),
  /** Settings of the former web server that people wrote: names of the files. */
  ownSettings: z.array(z.string()),
  /** Files `.htaccess` with rules, which nginx does not read. */
  htaccess: count.optional(),
  ...files,
})
export type FoundWebsite = z.output<typeof FoundWebsite>

export const FoundDatabase = z.object({
  name: z.string(),
  engine: z.string(),
  charset: z.string().nullable(),
  users: z.array(z.object({ name: z.string(), hash: hashForm })),
  /** Size of the dump in the archive; null: the archive has no dump. */
  dumpBytes: bytes.nullable(),
  suspended: z.boolean(),
})

export const FoundMailbox = z.object({
  name: z.string(),
  hash: hashForm,
  /** Null: unlimited. */
  quotaMb: z.number().nullable(),
  forwards: z.array(z.string()),
  keepCopy: z.boolean(),
  autoReply: z.string().nullable(),
  suspended: z.boolean(),
  messages: count,
  bytes,
  newest,
})
export const FoundMailDomain = z.object({
  domain: z.string(),
  catchAll: z.string().nullable(),
  dkim: z.boolean(),
  /** Selector of the DKIM key that the archive has. */
  dkimSelector: z.string().optional(),
  suspended: z.boolean(),
  mailboxes: z.array(FoundMailbox),
  aliases: z.array(z.object({ name: z.string(), targets: z.array(z.string()) })),
  refused: Refused,
  fault: z.string().nullable(),
})
export type FoundMailDomain = z.output<typeof FoundMailDomain>

export const FoundZone = z.object({
  domain: z.string(),
  /** In the format of a zone file. */
  text: z.string(),
  records: count,
  dnssec: z.boolean(),
  suspended: z.boolean(),
})

export const Inventory = z.object({
  format: archiveFormat,
  account: z.object({
    name: z.string(),
    plan: z.string().nullable(),
    contact: z.string().nullable(),
    suspended: z.boolean(),
  }),
  /** Addresses of the former server. */
  addresses: z.array(z.string()),
  websites: z.array(FoundWebsite),
  databases: z.array(FoundDatabase),
  mail: z.array(FoundMailDomain),
  zones: z.array(FoundZone),
  cron: z.array(z.object({ when: z.string(), command: z.string(), suspended: z.boolean() })),
  ftp: z.array(z.object({ name: z.string(), website: z.string(), path: z.string(), hash: hashForm })),
  /** What else lies there and is not carried. */
  others: z.array(z.object({ what: z.string(), count, why: z.string() })),
  /** Members that are refused wherever they lie. */
  refused: Refused,
  members: count,
  bytes,
})
export type Inventory = z.output<typeof Inventory>
