import * as z from 'zod'
import { readNetwork } from './ipsets/networks.ts'

/**
 * Values that reach a config file, a command or a path on a managed server. Each is an allow-list: the agent checks
 * the same schemas again, so that nothing depends on who asked.
 */

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainPattern = new RegExp(`^(?=.{4,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`)

/** A host name in lower case; an international name is turned into its `xn--` form by `toAscii`. */
export const domain = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => toAscii(text.replace(/\.$/, '')))
  .pipe(z.string().regex(domainPattern, 'Not a domain name, such as example.org'))

/** What a web server answers to: a name, or by `*.example.org` all names below one. */
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

/** The form that a name server and nginx know; what cannot be one comes back unchanged and fails the pattern. */
function toAscii(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text
  if (/[^a-z0-9.\-\x80-\u{10ffff}]/u.test(text)) return text // as a URL reads it: `é@evil.example`, `é.ex#ample`
  try {
    return new URL(`http://${text}`).hostname
  } catch {
    return text // the pattern refuses it beside the field
  }
}

/** Linux account: what useradd should have refused and does not (`x;id`, `../e`). */
export const username = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, 'Lower-case letters, digits and _, a letter first')

export const hostName = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/, 'Lower-case letters, digits and hyphens, 2 to 63 characters')

export const phpVersion = z.string().regex(/^[5-9]\.\d{1,2}$/, 'A version such as 8.2')

/** An IPv4 or IPv6 address without a zone. */
export const address = z.union([z.ipv4(), z.ipv6()], { error: 'An IP address' })

/** Absolute, below /home, no `..`, no character that a config file reads as its own. */
export const sitePath = z
  .string()
  .regex(/^\/home\/[a-z][a-z0-9_]{0,30}(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._-]{1,128}){0,8}$/)

/** A Debian package or systemd unit name; one that ends in `-` is an order to apt to take it away. */
export const packageName = z.string().regex(/^[a-z0-9][a-z0-9+.-]{0,62}[a-z0-9+.]$/)

/** One transfer between two agents, and the key that opens it: 256 bits. */
export const transferName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
export const transferKey = z.string().regex(/^[0-9a-f]{64}$/)
/** A database of a website; MariaDB's own are nobody's. */
export const databaseName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{1,63}$/, 'Lower-case letters, digits and _, a letter first, 2 to 64 characters')
  .refine((name) => !ownDatabases.includes(name), 'This one is MariaDB’s own')
const ownDatabases = ['mysql', 'sys', 'information_schema', 'performance_schema', 'test']

/** An account of a database server; `root` and the like are its own. */
export const databaseUsername = z
  .string()
  .regex(/^[a-z][a-z0-9_]{1,31}$/, 'Lower-case letters, digits and _, a letter first, 2 to 32 characters')
  .refine((name) => !ownAccounts.includes(name), 'This one is the server’s own')
const ownAccounts = ['root', 'mysql', 'mariadb', 'public', 'none', 'innkeeper', 'debian_sys_maint']

/** Nothing that SQL, PHP, an .env file or an address reads as its own. */
export const databasePassword = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/, '16 to 128 letters, digits, _ and -')

export const charset = z.enum(['utf8mb4', 'utf8mb3', 'latin1', 'ascii'])
/** `utf8mb4_unicode_ci`: the server says when it is none of the character set. */
export const collation = z.string().regex(/^[a-z][a-z0-9_]{2,63}$/, 'A collation such as utf8mb4_unicode_ci')

/** A table that may be named by itself: such as an application makes. */
export const tableName = z.string().regex(/^[A-Za-z0-9_$][A-Za-z0-9_$.-]{0,63}$/, 'The name of a table')

/**
 * A file or folder by its way from a website's own folder, which it cannot leave: `public/index.php`. What has a line break
 * in its name, or bytes that are no UTF-8, cannot be named: it goes along with its folder.
 */
export const pathWithin = z
  .string()
  .regex(
    /^(?!\/)(?!(?:.*\/)?\.{0,2}(?:\/|$))[^\p{C}\p{Zl}\p{Zp}\ufffd]{1,1000}$/su,
    'A path such as public/index.php: no .., no / at its ends, no line break',
  )

/** A dump, a log or a crontab in the spool folder of a server. */
export const spoolFile = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,150}\.(?:sql|log|cron)\.gz$/, 'A name such as shop-12.sql.gz')

/** A chain of certificates as a web server sends it, its own first. */
export const certificateChain = z
  .string()
  .max(100_000)
  .regex(/^(?:-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/=]{1,76}\n)+-----END CERTIFICATE-----\n){1,10}$/)

/** Unencrypted, PKCS #8: the one form that we keep keys in. */
export const privateKey = z
  .string()
  .max(20_000)
  .regex(/^-----BEGIN PRIVATE KEY-----\n(?:[A-Za-z0-9+/=]{1,76}\n)+-----END PRIVATE KEY-----\n$/)

/** What may sign in over SSH: modern keys, and RSA, whose length is looked at where it is added. */
export const sshKeyType = z.enum([
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'ssh-rsa',
])
/** The key itself, without its type and comment. */
export const sshKeyBody = z.string().regex(/^[A-Za-z0-9+/]{40,3000}={0,2}$/, 'Not a public key')

/** A set of banned addresses; on a server `office` is the nftables sets `office_v4` and `office_v6`. */
export const ipSetName = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{0,29}[a-z0-9]$/, 'Lower-case letters, digits and hyphens, a letter first, 2 to 31 characters')
  .refine((name) => name !== 'create', 'This is the address of a screen')

/** An address or a network, in its canonical form: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`. */
export const network = z
  .string()
  .trim()
  .max(64)
  .transform((text) => readNetwork(text)?.text ?? text)
  .pipe(
    z.string().refine((text) => readNetwork(text) !== undefined, 'An address or a network, as 192.0.2.1 or 10.0.0.0/8'),
  )

/** An address of a website, as an edge keeps pages by it: `https://shop.example/logo.png`. */
export const pageAddress = z
  .string()
  .trim()
  .regex(/^https?:\/\/[a-z0-9.-]{3,253}\/[\x21-\x7e]{0,2000}$/, 'An address such as http://shop.example/logo.png')
