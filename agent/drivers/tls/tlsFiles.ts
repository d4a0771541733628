import { X509Certificate } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { absent, ensureDirectory, places, read, replace } from '../../kit/host.ts'
import { nginx } from '../nginx/nginx.ts'
import type { Changes } from '../webServer/webConfig.ts'
import { httpsFile, tlsFile } from '../webServer/webPaths.ts'
import type { WebServer } from '../webServer/webServer.ts'

type Input = OperationInput<'tls-site.ensure'>

/** Folder of keys and chains, with a subfolder per fingerprint that never changes. */
const keys = '/etc/innkeeper/tls'
const edges = `${nginx.folder}/edge-tls`
/** Days for which replaced certificates are kept, for undo. */
const KEPT_DAYS = 30
export const noteKind = 'tls-site'

/** The TLS file of a website on an edge, with its certificate and redirect to https. Named by the vhost's number. */
export const edgeTlsFile = (vhostId: number) => `${edges}/${vhostId}.conf`

export const fingerprintOf = (chain: string): string =>
  new X509Certificate(chain).fingerprint256.replaceAll(':', '').toLowerCase()

/** The fingerprint of the certificate that a TLS file refers to. */
export const fingerprintIn = (text: string | undefined): string | undefined =>
  text?.match(/\/([0-9a-f]{64})\/chain\.pem;?$/m)?.[1]

/** The two TLS files of a website with this certificate. */
export const tlsTexts = (
  web: WebServer,
  { domain, chain, redirect, hsts }: Omit<Input, 'names' | 'privateKey'>,
): Changes => ({
  [tlsFile(web, domain)]: web.tlsText(`${keys}/${fingerprintOf(chain)}`),
  [httpsFile(web, domain)]: web.httpsText({ redirect, hsts }),
})

/** The TLS file of a website on an edge. */
export const edgeTlsText = ({ fingerprint, redirect }: { fingerprint: string; redirect: boolean }): string =>
  `${nginx.tlsText(`${keys}/${fingerprint}`)}${nginx.httpsText({ redirect, hsts: 0 }) ?? ''}`

/** The present content of both files. */
export const tlsNow = async (web: WebServer, domain: string): Promise<Changes> => ({
  [tlsFile(web, domain)]: await read(tlsFile(web, domain)),
  [httpsFile(web, domain)]: await read(httpsFile(web, domain)),
})

export const keyFilesOf = (fingerprint: string) => ({
  chain: `${keys}/${fingerprint}/chain.pem`,
  key: `${keys}/${fingerprint}/key.pem`,
})

/** Writes key and chain into a folder that only root can read; the web server loads them as root. */
export async function writeKeys(chain: string, privateKey: string): Promise<string> {
  const fingerprint = fingerprintOf(chain)
  await ensureDirectory(keys, { mode: 0o700 })
  const folder = `${keys}/${fingerprint}`
  const isNew = !(await stat(folder).catch(absent))
  try {
    await ensureDirectory(folder, { mode: 0o700 })
    await replace(`${folder}/key.pem`, privateKey, { mode: 0o600 })
    await replace(`${folder}/chain.pem`, chain)
  } catch (error) {
    if (isNew) await rm(folder, { recursive: true, force: true }) // a full disk leaves no key without its chain
    throw error
  }
  return fingerprint
}

export async function ensureTlsFolders({ folder }: WebServer): Promise<void> {
  for (const place of [`${folder}/tls`, `${folder}/https`, edges]) await ensureDirectory(place)
}

/** Deletes keys that no website, edge or possible undo uses. Answers how many. */
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
