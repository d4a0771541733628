import { X509Certificate } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { absent, ensureDirectory, exclusive, places, read, replace } from '../../kit/host.ts'
import { TAKEN } from '../adopt/inPlace/panelJobs.ts'
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

/** How many actions bring a key that no file names yet, by fingerprint. */
const arriving = new Map<string, number>()
const LOCK = 'the keys of certificates'

/** Writes key and chain, and keeps them from being swept until `work`, which names them in a file or a note, has ended. */
export async function withKeys<T>(
  { chain, privateKey }: { chain: string; privateKey: string },
  work: (fingerprint: string) => Promise<T>,
): Promise<T> {
  const fingerprint = fingerprintOf(chain)
  const count = (by: number) => {
    const now = (arriving.get(fingerprint) ?? 0) + by
    if (now) arriving.set(fingerprint, now)
    else arriving.delete(fingerprint)
  }
  await exclusive(LOCK, async () => {
    count(1)
    await writeKeys(fingerprint, chain, privateKey).catch((error: unknown) => {
      count(-1)
      throw error
    })
  })
  try {
    return await work(fingerprint)
  } finally {
    count(-1)
  }
}

/** Writes key and chain into a folder that only root can read; the web server loads them as root. */
async function writeKeys(fingerprint: string, chain: string, privateKey: string): Promise<void> {
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
}

export async function ensureTlsFolders({ folder }: WebServer): Promise<void> {
  for (const place of [`${folder}/tls`, `${folder}/https`, edges]) await ensureDirectory(place)
}

/** Kinds of notes that name keys: what an undo may bring back, and what is about to be taken over. */
const noteKinds = [noteKind, TAKEN]

/** Deletes keys that no website, edge, possible undo or action on its way uses. Answers how many. */
export const sweepKeys = ({ folder }: WebServer, now = Date.now()): Promise<number> =>
  exclusive(LOCK, async () => {
    const held = new Set(arriving.keys())
    const texts: string[] = []
    for (const place of [`${folder}/tls`, edges])
      for (const name of (await readdir(place).catch(absent)) ?? []) texts.push((await read(`${place}/${name}`)) ?? '')
    for (const noted of noteKinds.map((kind) => `${places.notes}/${kind}`))
      for (const name of (await readdir(noted).catch(absent)) ?? []) {
        const seen = await stat(`${noted}/${name}`).catch(absent)
        if (seen && seen.mtimeMs > now - KEPT_DAYS * 86_400_000) texts.push((await read(`${noted}/${name}`)) ?? '')
      }
    let gone = 0
    for (const fingerprint of (await readdir(keys).catch(absent)) ?? []) {
      if (!/^[0-9a-f]{64}$/.test(fingerprint) || held.has(fingerprint)) continue
      if (texts.some((text) => text.includes(fingerprint))) continue
      await rm(`${keys}/${fingerprint}`, { recursive: true, force: true })
      gone++
    }
    return gone
  })
