import * as z from 'zod'
import { readNetwork } from '../machines/ipsets/networks.ts'
import { isMachineAddress } from '../reach.ts'

/**
 * Values that reach a configuration file, a command or a path on a managed server. Each is an allow-list. The agent
 * validates with the same schemas again, so its safety does not depend on the sender.
 */

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainPattern = new RegExp(`^(?=.{4,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`)

/** A host name in lower case. `toAscii` converts international names to their `xn--` form. */
export const domain = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => toAscii(text.replace(/\.$/, '')))
  .pipe(z.string().regex(domainPattern, 'Not a domain name, such as example.org'))

/** A name that a web server serves: a host name, or a wildcard such as `*.example.org`. */
export const servedName = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) =>
    text.startsWith('*.') ? `*.${toAscii(text.slice(2).replace(/\.$/, ''))}` : toAscii(text.replace(/\.$/, '')),
  )
  .pipe(
    z
      .string()
      .max(253)
      .refine(
        (text) => domainPattern.test(text.replace(/^\*\./, '')),
        'A domain name, or *.example.org for all below it',
      ),
  )

/** Converts an international name to ASCII. Invalid names are returned unchanged and fail the pattern. */
function toAscii(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text
  if (/[^a-z0-9.\-\x80-\u{10ffff}]/u.test(text)) return text // a URL would drop parts of `é@evil.example` and `é.ex#ample`
  try {
    return new URL(`http://${text}`).hostname
  } catch {
    return text // the pattern refuses the name
  }
}

/** Name of a Linux account. useradd accepts dangerous ones such as `x;id` and `../e`. */
export const username = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, 'Lower-case letters, digits and _, a letter first')

export const hostName = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/, 'Lower-case letters, digits and hyphens, 2 to 63 characters')

export const phpVersion = z.string().regex(/^[5-9]\.\d{1,2}$/, 'A version such as 8.2')

/** An IPv4 or IPv6 address without a zone id. */
export const address = z.union([z.ipv4(), z.ipv6()], { error: 'An IP address' })

/** The address of a machine that Innkeeper asks or names to others. */
export const machineAddress = address.refine(isMachineAddress, 'The address of a machine, such as 203.0.113.7')

/** An absolute path below /home without `..` and without characters that configuration files treat specially. */
export const sitePath = z
  .string()
  .regex(/^\/home\/[a-z][a-z0-9_]{0,30}(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._-]{1,128}){0,8}$/)

/** Name of a Debian package or systemd unit. A trailing `-`, with which apt removes a package, is refused. */
export const packageName = z.string().regex(/^[a-z0-9][a-z0-9+.-]{0,62}[a-z0-9+.]$/)

/** Name of one transfer between two agents, and its 256-bit key. */
export const transferName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
export const transferKey = z.string().regex(/^[0-9a-f]{64}$/)

export const databaseEngine = z.enum(['mariadb', 'postgresql'])
export type DatabaseEngine = z.output<typeof databaseEngine>

/** Name of a database. The system databases of MariaDB and PostgreSQL are refused. */
export const databaseName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{1,63}$/, 'Lower-case letters, digits and _, a letter first, 2 to 64 characters')
  .refine((name) => !ownDatabases.includes(name), 'This database belongs to the server')
const ownDatabases = [
  ...['mysql', 'sys', 'information_schema', 'performance_schema', 'test'],
  ...['postgres', 'template0', 'template1'],
]

/** Name of an account of a database server. System accounts such as `root` are refused. */
export const databaseUsername = z
  .string()
  .regex(/^[a-z][a-z0-9_]{1,31}$/, 'Lower-case letters, digits and _, a letter first, 2 to 32 characters')
  .refine((name) => !ownAccounts.includes(name), 'This account belongs to the server')
const ownAccounts = [
  ...['root', 'mysql', 'mariadb', 'public', 'none', 'innkeeper', 'debian_sys_maint'],
  ...['postgres', 'innkeeper_accounts'],
]

/** A password without characters that SQL, PHP, .env files or URLs treat specially. */
export const databasePassword = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/, '16 to 128 letters, digits, _ and -')

/** Hash of a password of MariaDB (`mysql_native_password`). No password contains an asterisk. */
export const databaseHash = z.string().regex(/^\*[0-9A-F]{40}$/)

/**
 * Host that a database account connects from. `localhost` means the socket and 127.0.0.1. Host names and `%` are
 * refused: the server does not resolve names, and `%` admits everybody.
 */
export const databaseHost = z.preprocess(
  (host) => (typeof host === 'string' ? host.trim().toLowerCase() : host),
  z.union([z.literal('localhost'), z.ipv4(), z.ipv6(), z.cidrv4()], {
    error: 'localhost, or an IP address or network, such as 203.0.113.7 or 10.0.0.0/24',
  }),
) as unknown as z.ZodType<string, string> // preprocess loses the input type, which forms and the client need

/** SQL that a person typed. */
export const databaseSql = z.string().trim().min(1, 'Required').max(20_000)

/** Privileges that can be chosen one by one for an account on a database. */
export const databasePrivilege = z.enum([
  ...(['select', 'insert', 'update', 'delete', 'create', 'alter', 'drop', 'index', 'references'] as const),
  ...(['create temporary tables', 'lock tables', 'create view', 'show view', 'trigger'] as const),
  ...(['create routine', 'alter routine', 'execute', 'event'] as const),
])
export type DatabasePrivilege = z.output<typeof databasePrivilege>

/** Privileges that PostgreSQL grants one by one. Only `all` includes changing and dropping tables there. */
export const postgresqlPrivileges = [
  ...(['select', 'insert', 'update', 'delete', 'references', 'trigger'] as const),
  ...(['create', 'create temporary tables', 'execute'] as const),
] satisfies DatabasePrivilege[]
/** Longest name of a PostgreSQL database. */
export const POSTGRESQL_NAME = 63

export const charset = z.enum(['utf8mb4', 'utf8mb3', 'latin1', 'ascii'])
/** Encoding and locale of each PostgreSQL database of Innkeeper. */
export const postgresqlShape = { charset: 'UTF8', collation: 'C.UTF-8' } as const
/** For example `utf8mb4_unicode_ci`. The server refuses a collation of another character set. */
export const collation = z.string().regex(/^[a-z][a-z0-9_]{2,63}$/, 'A collation, such as utf8mb4_unicode_ci')

/** A table name that applications use and that can be selected for a dump. */
export const tableName = z.string().regex(/^[A-Za-z0-9_$][A-Za-z0-9_$.-]{0,63}$/, 'The name of a table')

/** A text to search for in a database, and its replacement. */
export const replacedText = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,500}$/u, '1 to 500 characters in one line')
/** `domain`: a host name alone or with `www.`, but not within a longer name or a mail address. */
export const replaceHow = z.enum(['text', 'domain', 'network'])

/** How a column is compared with a text. */
export const filterHow = z.enum(['is', 'contains', 'begins', 'less', 'more', 'null', 'not null'])
/** A column name: the server checks that the table has it. */
export const columnName = z.string().regex(/^[^\p{C}]{1,64}$/u, 'The name of a column')

/**
 * Path of a file or folder within a website: `public/index.php`. Names with a line break, or that are not UTF-8, cannot
 * be written; such files are copied with their folder.
 */
export const pathWithin = z
  .string()
  .regex(
    /^(?!\/)(?!(?:.*\/)?\.{0,2}(?:\/|$))[^\p{C}\p{Zl}\p{Zp}\ufffd]{1,1000}$/su,
    'A path such as public/index.php: no .., no / at its ends, no line break',
  )

/** A path as people type it: it counts from the folder of the website, or is whole: `/home/web1/shop.sql.gz`. */
export const pathTyped = z
  .string()
  .trim()
  .refine((text) => pathWithin.safeParse(text.replace(/^\/(?=home\/)/, '')).success, {
    error: 'A path such as backup/shop.sql.gz, or a whole one such as /home/web1/shop.sql.gz: no .., no line break',
  })

/** A dump, a log, a crontab or keys in the spool folder of a server. */
export const spoolFile = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,150}\.(?:sql|log|cron|keys)\.gz$/, 'A name such as shop-12.sql.gz')

/** An uploaded dump, unchanged. Its first bytes show the compression. */
export const dumpFile = z.string().regex(/^import-\d{1,12}\.dump$/, 'A name such as import-12.dump')
/** Key of a file in Innkeeper's storage. */
export const blobKey = z.string().regex(/^[0-9a-f]{32}$/)

/** Login name of an FTP user: the account, an underscore, and a name. */
export const ftpUsername = z.string().regex(/^[a-z][a-z0-9_]{0,30}_[a-z0-9][a-z0-9_-]{0,30}$/)
/** The part of the login name that people choose. */
export const ftpName = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9_-]{0,30}$/, 'Lower-case letters, digits, _ and -, at most 31 characters')

/** A folder within a website's folder; empty for the whole website. */
export const ftpFolder = z
  .string()
  .trim()
  .max(400)
  .regex(
    /^(?:(?!\.\.?(?:\/|$))[A-Za-z0-9._-]{1,128}(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._-]{1,128}){0,5})?$/,
    'A folder such as public/uploads: letters, digits, dots, _ and -, no .., no / at its ends',
  )

/** A password hash of crypt(3). Innkeeper makes SHA-512; the others come with archives of other panels. */
export const ftpHash = z
  .string()
  .regex(
    /^(?:\$6\$(?:rounds=\d{4,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}|\$5\$(?:rounds=\d{4,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}|\$1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\$y\$[./A-Za-z0-9]{1,20}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43})$/,
  )

/** A certificate chain in PEM, the site's own certificate first. */
export const certificateChain = z
  .string()
  .max(100_000)
  .regex(/^(?:-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/=]{1,76}\n)+-----END CERTIFICATE-----\n){1,10}$/)

/** A private key in PEM: unencrypted PKCS #8, the only format that is stored. */
export const privateKey = z
  .string()
  .max(20_000)
  .regex(/^-----BEGIN PRIVATE KEY-----\n(?:[A-Za-z0-9+/=]{1,76}\n)+-----END PRIVATE KEY-----\n$/)

/** Types of SSH keys. The length of RSA keys is checked where a key is added. */
export const sshKeyType = z.enum([
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'ssh-rsa',
])
/** The base64 part of a public key, without type and comment. */
export const sshKeyBody = z.string().regex(/^[A-Za-z0-9+/]{40,3000}={0,2}$/, 'Not a public key')

/** Name of an IP set. On a server, `office` becomes the nftables sets `office_v4` and `office_v6`. */
export const ipSetName = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{0,29}[a-z0-9]$/, 'Lower-case letters, digits and hyphens, a letter first, 2 to 31 characters')
  .refine((name) => name !== 'create', 'This name is reserved')

/** An IP set in a path: its name or its id. A name begins with a letter, so both are distinct. */
export const ipSetKey = z.union([ipSetName, z.string().regex(/^[1-9]\d{0,8}$/)], 'A name or an id of an IP set')

/** An address or a network in canonical form: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`. */
export const network = z
  .string()
  .trim()
  .max(64)
  .transform((text) => readNetwork(text)?.text ?? text)
  .pipe(
    z
      .string()
      .refine((text) => readNetwork(text) !== undefined, 'An address or a network, such as 192.0.2.1 or 10.0.0.0/8'),
  )

/** A full address of a page, which is the cache key of an edge: `https://shop.example/logo.png`. */
export const pageAddress = z
  .string()
  .trim()
  .regex(/^https?:\/\/[a-z0-9.-]{3,253}\/[\x21-\x7e]{0,2000}$/, 'An address such as http://shop.example/logo.png')

/** Account of a machine on a backup server, and the name of its repository there. */
export const backupAccount = z.string().regex(/^[a-z][a-z0-9-]{1,38}[a-z0-9]$/)
/** Id of a snapshot in full. */
export const snapshotId = z.string().regex(/^[0-9a-f]{64}$/)
/** A name pattern that a backup leaves out: `cache/`, `*.log`. restic reads `!` at the start as an exception. */
export const excludePattern = z
  .string()
  .trim()
  .regex(/^(?!!)[A-Za-z0-9._*?/-][A-Za-z0-9._*?/ -]{0,199}$/, 'Letters, digits and . _ * ? / - only')
/** A text to search for in file names. */
export const searchText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}\ufffd/]+$/u, 'Part of a name, without /')
/** Path within a snapshot, from its root: `/public/index.php`. */
export const snapshotPath = z
  .string()
  .regex(
    /^\/(?:(?!\.{1,2}(?:\/|$))[^\p{C}\p{Zl}\p{Zp}\ufffd/]{1,255}(?:\/(?!$)|$))*$/u,
    'A path such as /public, without ..',
  )
  .max(1000)

/** Location of a bucket. The endpoint is an origin without a path. */
export const s3Fields = {
  endpoint: z
    .string()
    .trim()
    .regex(
      /^https?:\/\/[a-z0-9.-]{1,253}(?::[0-9]{1,5})?$/,
      'An address such as https://s3.example.net, without a path',
    )
    .refine((text) => URL.canParse(text), 'Is not an address'),
  bucket: z
    .string()
    .trim()
    .regex(/^[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]$/, 'Lower-case letters, digits, - and ., 3 to 63 of them'),
  /** A folder in the bucket; empty, or ends with a slash. */
  prefix: z
    .string()
    .trim()
    .regex(
      /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}\/){0,5}$/,
      'Folders such as innkeeper/backups/, with a slash at the end',
    ),
  region: z
    .string()
    .trim()
    .regex(/^[a-z0-9-]{1,40}$/, 'Letters, digits and -, such as eu-north-1'),
  keyId: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_.-]{1,128}$/, 'Letters, digits, _, . and -'),
}
/** Password of a repository of restic, which may have been chosen elsewhere. */
export const repositoryPassword = z
  .string()
  .regex(/^[\x20-\x7e]{8,200}$/, '8 to 200 letters without accents, digits, signs and spaces')

/** Password of an account on a backup server, or the secret of a bucket. */
export const storeKey = z
  .string()
  .regex(/^[A-Za-z0-9_+/=.-]{6,200}$/, 'Letters, digits and _ + / = . -, 6 to 200 of them')
