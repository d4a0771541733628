import { X509Certificate } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent'
import { absent, ensureDirectory, places, read, replace, shortName } from '../kit/host.ts'
import type { Changes } from './nginxConfig.ts'

type Input = OperationInput<'tls-site.ensure'>

/** Keys and chains, each in a folder that is called by its fingerprint: what is there never changes. */
const keys = '/etc/innkeeper/tls'
const listens = '/etc/nginx/innkeeper/tls'
const turns = '/etc/nginx/innkeeper/https'
/** Days in which a step back may want the certificate before. */
const KEPT_DAYS = 30
export const noteKind = 'tls-site'

/** That a website answers over https, and with what; its site file takes it in where it is there. */
export const tlsFile = (domain: string) => `${listens}/${shortName(domain)}.conf`
/** That http leads to https, for a website that is open. */
export const httpsFile = (domain: string) => `${turns}/${shortName(domain)}.conf`
/** A file that may not be there: nginx takes a pattern without a match for nothing. */
export const perhaps = (file: string) => file.replace(/f$/, '[f]')

export const fingerprintOf = (chain: string): string =>
  new X509Certificate(chain).fingerprint256.replaceAll(':', '').toLowerCase()

/** The fingerprint that a file names, which is the certificate that its website should show. */
export const fingerprintIn = (text: string | undefined): string | undefined =>
  text?.match(/\/([0-9a-f]{64})\/chain\.pem;/)?.[1]

/** The two files of a website with this certificate. */
export const tlsTexts = ({ domain, chain, redirect, hsts }: Omit<Input, 'names' | 'privateKey'>): Changes => {
  const folder = `${keys}/${fingerprintOf(chain)}`
  const turn = [
    ...(redirect ? ['if ($innkeeper_to_https) { return 301 https://$host$request_uri; }'] : []),
    ...(hsts ? [`add_header Strict-Transport-Security "max-age=${hsts}" always;`] : []),
  ]
  return {
    [tlsFile(domain)]: `# Written by Innkeeper; what is changed here is written over.
include /etc/nginx/innkeeper/tls.conf;
ssl_certificate ${folder}/chain.pem;
ssl_certificate_key ${folder}/key.pem;
`,
    [httpsFile(domain)]: turn.length ? `${turn.join('\n')}\n` : undefined,
  }
}

/** Both files as they are. */
export const tlsNow = async (domain: string): Promise<Changes> => ({
  [tlsFile(domain)]: await read(tlsFile(domain)),
  [httpsFile(domain)]: await read(httpsFile(domain)),
})

/** Key and chain where nginx, as root, reads them before it takes their configuration in. */
export async function writeKeys(chain: string, privateKey: string): Promise<string> {
  const fingerprint = fingerprintOf(chain)
  await ensureDirectory(keys, { mode: 0o700 })
  const folder = `${keys}/${fingerprint}`
  await ensureDirectory(folder, { mode: 0o700 })
  await replace(`${folder}/key.pem`, privateKey, { mode: 0o600 })
  await replace(`${folder}/chain.pem`, chain)
  return fingerprint
}

export async function ensureTlsFolders(): Promise<void> {
  for (const folder of [listens, turns]) await ensureDirectory(folder)
}

/** Keys that no website and no step back has a use for go for good. Answers how many. */
export async function sweepKeys(now = Date.now()): Promise<number> {
  const texts: string[] = []
  for (const name of (await readdir(listens).catch(absent)) ?? []) texts.push((await read(`${listens}/${name}`)) ?? '')
  const noted = `${places.notes}/${noteKind}`
  for (const name of (await readdir(noted).catch(absent)) ?? []) {
    const seen = await stat(`${noted}/${name}`).catch(absent)
    if (seen && seen.mtimeMs > now - KEPT_DAYS * 86_400_000) texts.push((await read(`${noted}/${name}`)) ?? '')
  }
  let gone = 0
  for (const fingerprint of (await readdir(keys).catch(absent)) ?? []) {
    if (!/^[0-9a-f]{64}$/.test(fingerprint) || texts.some((text) => text.includes(fingerprint))) continue
    await rm(`${keys}/${fingerprint}`, { recursive: true, force: true })
    gone++
  }
  return gone
}
