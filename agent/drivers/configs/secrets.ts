import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { readFile, rm, utimes } from 'node:fs/promises'
import { codeOf, ensureDirectory, places, replace } from '../../kit/host.ts'

/*
 * Secrets stay on the machine. A file that is a secret, such as a private key, is collected as a keyed checksum. In other
 * files the value of a password is masked; the unmasked content stays in a folder of root, so that a reset can restore it.
 */
const folder = `${places.state}/configs`
const kept = `${folder}/kept`
/** The folder with the former files of each reset, for its undo. */
export const resets = `${folder}/resets`
const KEEP_MS = 400 * 86_400_000

const secretPaths =
  /^\/etc\/(?:g?shadow-?|innkeeper\/[^/]+\.(?:key|json)|ssh\/ssh_host_\w+_key|.*(?:sasl_passwd|\.keytab))$|^\/etc\/postfix\/.*(?:passw|cred|sasl_)/
/** Private keys of OpenSSL, OpenSSH, PGP, PuTTY and BIND. */
const privateKey =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY|^PuTTY-User-Key-File-|^Private-key-format:/m
/** The beginning of a PEM file in base64, as environment files have it. */
const packed = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{40}/g

export const isSecret = (path: string, text: string) =>
  secretPaths.test(path) ||
  privateKey.test(text) ||
  [...text.matchAll(packed)].some(([begin]) => privateKey.test(Buffer.from(begin, 'base64').toString()))

const word = String.raw`(?:password|passwd|passwort|passphrase|secret|api[-_]?key|private[-_]?key|preshared[-_]?key|token|requirepass|masterauth|authorization|bindpw|rootpw|auth[-_]?pass)[\w-]{0,200}`
/** Values that are no secrets: a setting, a file, a variable of the web server or of Dovecot. */
const harmless = [
  'yes|no|on|off|true|false|none|null|required|requisite|sufficient|optional|include|prohibit-password|\\d{1,3}',
  String.raw`(?:[a-z]{2,10}:)?/(?:etc|var|run|usr|srv|home|opt|root|tmp|dev|proc|mnt|bin|sbin)/\S{0,500}|file:\S{0,500}`,
  String.raw`\$(?:\{\w{1,60}\}|(?:http|arg|cookie|upstream|sent|ssl|remote|request|auth)_\w{1,60})`,
  String.raw`%(?:\{[^}\s]{1,100}\}|[a-z])e?|[\[{(]`,
].join('|')
const secretValue = String.raw`(?!(?:${harmless})["']?[ \t]*(?:[;,][ \t]*)?(?:#.*)?\r?$)([^\s"';,][^"';\n]*)`
/** `password = …`, and `DB_PASS=…` or `DB_PASS …`, but not `proxy_pass …` of nginx. */
const byName = [
  new RegExp(String.raw`(${word}["'\]]*(?:\s*[=:]\s*|[ \t]+(?![ \t=:]))["']?)${secretValue}`, 'gim'),
  new RegExp(
    String.raw`((?<!(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached)_)(?:pass|pwd|psk)["'\]]*\s*[=:]\s*["']?)${secretValue}`,
    'gim',
  ),
  new RegExp(String.raw`((?:PASS|PWD|PSK)["'\]]*[ \t]+(?![ \t=:])["']?)${secretValue}`, 'gm'),
]
/** Keys in the queries of addresses. */
const inQuery = /([?&](?:auth|key|sig|pass|pwd)=)([^\s"'&;]+)/gi
/** Passwords in the words of commands, as crontabs have them: `mysqldump -psecret`, `curl -u kari:secret`. */
const inCommand = [
  { command: /\b(?:mysql|mariadb)/, secret: /([ \t]-p["']?)([^\s"']+)/g },
  { command: /\bcurl\b/, secret: /([ \t](?:-u|--user)[ =]["']?[^\s:"'=]+:)([^\s"']+)/g },
] as const
/** Passwords and hashes behind the name of their scheme, as Dovecot, htpasswd and LDAP write them. */
const schemed =
  /(\{(?:PLAIN|CLEAR|CLEARTEXT|CRYPT|S?MD5|S?SHA\d{0,3}|(?:LDAP|PLAIN|CRAM|DIGEST)-MD5|SCRAM-SHA-\d{1,3}|[A-Z0-9]{2,10}-CRYPT|ARGON2\w{0,2})(?:\.\w{1,6})?\})([^\s:,;"']+)/g
/** Hashes of passwords, as crypt(3) and htpasswd write them. */
const crypted = /\$(?:apr1|1|2[aby]|5|6|7|y|gy|argon2\w+)\$[^\s:,;"']+/g
/** The 13 characters of the oldest crypt(3) behind a name. */
const oldCrypted = /^([\w.@-]{1,64}:)([./0-9A-Za-z]{13})(?=:|\r?$)/gm

/** Files in whose syntax `password` and `NOPASSWD` are keywords, not secrets. */
const plain = /^\/etc\/(?:pam\.d|sudoers)/
const inPlain = /((?:passw(?:or)?d|secret|bindpw)=)(\S+)/gi

type Marked = (_: string, before: string, value: string) => string

/** Masks passwords in addresses: `redis://:secret@host`. Each part of the text is read once. */
const inAddresses = (text: string, marked: Marked) =>
  text
    .split('@')
    .map((part, n, all) => {
      const begin = part.indexOf(
        '://',
        Math.max(...[' ', '\n', '\t', '"', "'"].map((end) => part.lastIndexOf(end))) + 1,
      )
      const at = begin < 0 ? -1 : part.indexOf(':', begin + 3)
      const has = n < all.length - 1 && at >= 0 && at < part.length - 1
      return has ? marked('', part.slice(0, at + 1), part.slice(at + 1)) : part
    })
    .join('@')

const inCommands = (text: string, marked: Marked) =>
  text
    .split('\n')
    .map((line) =>
      inCommand.reduce((now, { command, secret }) => (command.test(line) ? now.replace(secret, marked) : now), line),
    )
    .join('\n')

/** The text with the values of passwords replaced by a keyed mark, which differs when the value differs. */
export function mask(path: string, text: string, key: Buffer): string {
  const marked: Marked = (_, before, value) => `${before}‹secret ${sealOf(value, key).slice(0, 8)}›`
  if (plain.test(path)) return text.replace(inPlain, marked)
  const named = [...byName, inQuery, schemed, oldCrypted].reduce((now, pattern) => now.replace(pattern, marked), text)
  return inCommands(inAddresses(named, marked), marked).replace(crypted, (value) => marked(value, '', value))
}
export const sealOf = (content: string | Buffer, key: Buffer) => createHmac('sha256', key).update(content).digest('hex')

/** The key of this machine for checksums of secrets: a plain checksum of a password could be guessed. */
export async function machineKey(): Promise<Buffer> {
  const file = `${folder}/key`
  if (!existsSync(file)) {
    await ensureDirectory(folder, { mode: 0o700 })
    await replace(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  }
  return Buffer.from((await readFile(file, 'utf8')).trim(), 'hex')
}

export async function keep(seal: string, content: Buffer): Promise<void> {
  const file = `${kept}/${seal}`
  if (existsSync(file)) return utimes(file, new Date(), new Date())
  await ensureDirectory(kept, { mode: 0o700 })
  await replace(file, content, { mode: 0o600 })
}

export async function keptContent(seal: string): Promise<Buffer | undefined> {
  try {
    return await readFile(`${kept}/${seal}`)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Deletes contents that no file has had for a year, and the former files of resets that are older than a year. */
export async function forgetOld(): Promise<void> {
  for (const from of [kept, resets])
    for (const name of existsSync(from) ? readdirSync(from) : [])
      if (statSync(`${from}/${name}`).mtimeMs < Date.now() - KEEP_MS) await rm(`${from}/${name}`, { force: true })
}

/** When this machine was collected for the first time, in ms: files that are older have an unknown author. */
export async function watchedSince(): Promise<number> {
  const file = `${folder}/since`
  if (!existsSync(file)) {
    await ensureDirectory(folder, { mode: 0o700 })
    await replace(file, `${Date.now()}`, { mode: 0o600 })
  }
  return Number(await readFile(file, 'utf8'))
}
