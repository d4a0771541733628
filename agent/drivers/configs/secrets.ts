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
  /^\/etc\/(?:g?shadow-?|innkeeper\/[^/]+\.(?:key|json)|ssh\/ssh_host_\w+_key|.*(?:sasl_passwd|\.keytab))$/
const privateKey = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/

export const isSecret = (path: string, text: string) => secretPaths.test(path) || privateKey.test(text)

const word = String.raw`(?:password|passwd|passwort|passphrase|secret|api[-_]?key|token|requirepass|masterauth|authorization)[\w-]{0,200}`
const harmless = String.raw`(?:yes|no|on|off|true|false|none|null|required|requisite|sufficient|optional|include|prohibit-password|\d{1,3}|[/$%\[]\S{0,500}|file:\S{0,500})`
const named = new RegExp(
  String.raw`(${word}["'\]]*(?:\s*[=:]\s*|\s+)["']?)(?!${harmless}["']?\s*(?:[;,]\s*)?$)([^\s"';,][^"';\n]*)`,
  'gi',
)
/** Hashes of passwords, as crypt(3) and htpasswd write them. */
const crypted = /\$(?:apr1|1|2[aby]|5|6|7|y|gy|argon2\w+)\$[^\s:,;"']+/g
const inAddress = /(:\/\/[^\s:/@]+:)([^\s@/]+)(?=@)/g

/** Files in whose syntax `password` and `NOPASSWD` are keywords, not secrets. */
const plain = /^\/etc\/(?:pam\.d|sudoers)/

/** The text with the values of passwords replaced by a keyed mark, which differs when the value differs. */
export function mask(path: string, text: string, key: Buffer): string {
  if (plain.test(path)) return text
  const marked = (_: string, before: string, value: string) => `${before}‹secret ${sealOf(value, key).slice(0, 8)}›`
  const hash = (value: string) => marked(value, '', value)
  return text.replace(named, marked).replace(inAddress, marked).replace(crypted, hash)
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
