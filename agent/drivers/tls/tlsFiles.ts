import { X509Certificate } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent'
import { absent, ensureDirectory, places, read, replace } from '../../kit/host.ts'
import { nginx } from '../nginx/nginx.ts'
import type { Changes } from '../webServer/webConfig.ts'
import { httpsFile, tlsFile } from '../webServer/webPaths.ts'
import type { WebServer } from '../webServer/webServer.ts'

type Input = OperationInput<'tls-site.ensure'>

/** Keys and chains, each in a folder that is called by its fingerprint: what is there never changes. */
const keys = '/etc/innkeeper/tls'
const edges = `${nginx.folder}/edge-tls`
/** Days in which a step back may want the certificate before. */
const KEPT_DAYS = 30
export const noteKind = 'tls-site'

/** What an edge shows, by the number of its website there, and that http leads to https. */
export const edgeTlsFile = (vhostId: number) => `${edges}/${vhostId}.conf`

export const fingerprintOf = (chain: string): string =>
  new X509Certificate(chain).fingerprint256.replaceAll(':', '').toLowerCase()

/** The fingerprint that a file names, which is the certificate that its website should show. */
export const fingerprintIn = (text: string | undefined): string | undefined =>
  text?.match(/\/([0-9a-f]{64})\/chain\.pem;?$/m)?.[1]

/** The two files of a website with this certificate. */
export const tlsTexts = (
  web: WebServer,
  { domain, chain, redirect, hsts }: Omit<Input, 'names' | 'privateKey'>,
): Changes => ({
  [tlsFile(web, domain)]: web.tlsText(`${keys}/${fingerprintOf(chain)}`),
  [httpsFile(web, domain)]: web.httpsText({ redirect, hsts }),
})

/** The file of an edge that answers with this certificate. */
export const edgeTlsText = ({ fingerprint, redirect }: { fingerprint: string; redirect: boolean }): string =>
  `${nginx.tlsText(`${keys}/${fingerprint}`)}${nginx.httpsText({ redirect, hsts: 0 }) ?? ''}`

/** Both files as they are. */
export const tlsNow = async (web: WebServer, domain: string): Promise<Changes> => ({
  [tlsFile(web, domain)]: await read(tlsFile(web, domain)),
  [httpsFile(web, domain)]: await read(httpsFile(web, domain)),
})

/** Key and chain where the web server, as root, reads them before it takes their configuration in. */
export async function writeKeys(chain: string, privateKey: string): Promise<string> {
  const fingerprint = fingerprintOf(chain)
  await ensureDirectory(keys, { mode: 0o700 })
  const folder = `${keys}/${fingerprint}`
  await ensureDirectory(folder, { mode: 0o700 })
  await replace(`${folder}/key.pem`, privateKey, { mode: 0o600 })
  await replace(`${folder}/chain.pem`, chain)
  return fingerprint
}

export async function ensureTlsFolders({ folder }: WebServer): Promise<void> {
  for (const place of [`${folder}/tls`, `${folder}/https`, edges]) await ensureDirectory(place)
}

/** Keys that no website, no edge and no step back has a use for go for good. Answers how many. */
export async function sweepKeys({ folder }: WebServer, now = Date.now()): Promise<number> {
  const texts: string[] = []
  for (const place of [`${folder}/tls`, edges])
    for (const name of (await readdir(place).catch(absent)) ?? []) texts.push((await read(`${place}/${name}`)) ?? '')
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
