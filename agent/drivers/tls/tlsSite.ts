import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Context, Driver } from '../../kit/driver.ts'
import { notes, read, shortName, tlsProbe, until } from '../../kit/host.ts'
import { edgeFile, namesOf } from '../edge/edgeFile.ts'
import { nginx } from '../nginx/nginx.ts'
import type { Changes } from '../webServer/webConfig.ts'
import { httpsFile, siteFile, tlsFile } from '../webServer/webPaths.ts'
import type { WebServer } from '../webServer/webServer.ts'
import { webServerHere } from '../webServer/webServers.ts'
import {
  edgeTlsFile,
  edgeTlsText,
  ensureTlsFolders,
  fingerprintOf,
  noteKind,
  sweepKeys,
  tlsTexts,
  withKeys,
} from './tlsFiles.ts'

/** Where a certificate is installed: for a website on its own server, or on an edge. */
interface Place {
  domain: string
  web: WebServer
  /** The key of the note. */
  key: string
  tls: string
  /** The file with the redirect to https, if it is separate. */
  https?: string
}
const ofSite = ({ domain }: { domain: string }, web = webServerHere()): Place => ({
  ...{ domain, web, key: shortName(domain) },
  ...{ tls: tlsFile(web, domain), https: httpsFile(web, domain) },
})
const ofEdge = ({ vhostId, domain }: { vhostId: number; domain: string }): Place => ({
  ...{ domain, web: nginx, key: `edge-${vhostId}` }, // cannot collide: no domain has this form
  tls: edgeTlsFile(vhostId),
})

/**
 * Installs a certificate. Checks by a TLS handshake for each name that the running web server shows the certificate; on
 * failure, restores the former one.
 */
export const ensureTlsSite: Driver<'tls-site.ensure'> = {
  async run(c) {
    const { domain, names } = c.input
    const isServedHere = (await read(siteFile(webServerHere(), domain))) !== undefined
    return take(c, ofSite(c.input), tlsTexts(webServerHere(), c.input), isServedHere ? names : undefined)
  },
  undo: (c) => putBack(c, ofSite(c.input)),
  inspect: (c) => inspect(c, ofSite(c.input), tlsTexts(webServerHere(), c.input)),
}

/** Installs a certificate on an edge. Checks only the names that the edge already serves. */
export const ensureEdgeTls: Driver<'edge-tls.ensure'> = {
  async run(c) {
    const { vhostId, names } = c.input
    const answered = namesOf(await read(edgeFile(vhostId)))
    return take(c, ofEdge(c.input), edgeTexts(c.input), answered && names.filter((name) => answered.includes(name)))
  },
  undo: (c) => putBack(c, ofEdge(c.input)),
  inspect: (c) => inspect(c, ofEdge(c.input), edgeTexts(c.input)),
}
const edgeTexts = ({ vhostId, chain, redirect }: { vhostId: number; chain: string; redirect: boolean }): Changes => ({
  [edgeTlsFile(vhostId)]: edgeTlsText({ fingerprint: fingerprintOf(chain), redirect }),
})

export const removeTlsSite: Driver<'tls-site.remove'> = {
  run: (c) => letGo(c, ofSite(c.input)),
  undo: (c) => putBack(c, ofSite(c.input)),
  inspect: (c) => inspect(c, ofSite(c.input), goneFrom(ofSite(c.input))),
}

export const removeEdgeTls: Driver<'edge-tls.remove'> = {
  run: (c) => letGo(c, ofEdge(c.input)),
  undo: (c) => putBack(c, ofEdge(c.input)),
  inspect: (c) => inspect(c, ofEdge(c.input), goneFrom(ofEdge(c.input))),
}

type Changing = Pick<Context<'tls-site.remove'>, 'actionId' | 'say' | 'fence'>
type Taking = Changing & { input: { chain: string; privateKey: string } }

/** `names`: the names to check; undefined if the website is not served here yet. */
async function take(c: Taking, place: Place, texts: Changes, names: string[] | undefined) {
  const { chain, privateKey } = c.input
  const { domain, web } = place
  if (!new X509Certificate(chain).checkPrivateKey(createPrivateKey(privateKey)))
    throw new Error('This key is not the key of this certificate')
  c.fence()
  await ensureTlsFolders(web)
  await keepBefore(c, place)
  try {
    return await withKeys({ chain, privateKey }, async (fingerprint) => {
      const { generation, changed } = await web.apply(c, () => ({ ...web.base(), ...texts }), {
        check: async () => names && shows(names, fingerprint, c.say),
      })
      if (!names) c.say(`${domain} is not served yet: its certificate is used once it is`)
      if (!changed) c.say(`${domain} shows this certificate already`)
      return { fingerprint, generation }
    })
  } finally {
    await sweepKeys(web) // also deletes the key of a certificate that was refused
  }
}

async function letGo(c: Changing, place: Place): Promise<void> {
  c.fence()
  await keepBefore(c, place)
  await place.web.apply(c, goneFrom(place))
  c.say(`${place.domain} is served over http only`)
  await sweepKeys(place.web)
}

async function inspect(
  { task, actionId }: Pick<Context<'tls-site.remove'>, 'task' | 'actionId'>,
  { key, web }: Place,
  wanted: Changes,
): Promise<'yes' | 'no'> {
  if (task === 'undo') return (await notes.find(noteKind, key))?.by === actionId ? 'no' : 'yes'
  return (await web.isServed(wanted)) ? 'yes' : 'no'
}

const filesOf = ({ tls, https }: Place, text: { tls?: string | undefined; https?: string | undefined }): Changes => ({
  [tls]: text.tls || undefined,
  ...(https && { [https]: text.https || undefined }),
})
const goneFrom = (place: Place): Changes => filesOf(place, {})

/** Notes the former files once per action: a retry would read the files of the first attempt. */
async function keepBefore({ actionId }: Changing, { key, tls, https }: Place): Promise<void> {
  if ((await notes.find(noteKind, key))?.by === actionId) return
  await notes.keep(noteKind, key, actionId, {
    tls: (await read(tls)) ?? '',
    https: (https && (await read(https))) ?? '',
  })
}

async function putBack({ actionId, say, fence }: Changing, place: Place): Promise<void> {
  const { domain, key } = place
  const note = await notes.find(noteKind, key)
  if (note?.by !== actionId) return say(`${domain} stays as it is: another action has changed it`)
  await place.web.apply({ say, fence }, filesOf(place, note.about))
  await notes.drop(noteKind, key)
  await sweepKeys(place.web)
  say(note.about.tls ? `${domain} shows its former certificate` : `${domain} is served over http only`)
}

/** Waits until the running web server shows this certificate for all names. */
export async function shows(names: readonly string[], fingerprint: string, say: (text: string) => void): Promise<void> {
  await until({
    what: 'the web server shows the new certificate',
    unit: webServerHere().unit,
    async look() {
      for (const name of names) {
        const seen = await tlsProbe('127.0.0.1', 443, name.replace(/^\*/, 'any-name'))
        if (seen.fingerprint === fingerprint) continue
        const shown = seen.fingerprint ? `another certificate, for ${seen.text}` : `none: ${seen.text}`
        throw new Error(`The new certificate is not what visitors get: ${name} shows ${shown}`)
      }
    },
  })
  say(`${names.join(', ')}: shown with ${fingerprint.slice(0, 16)}…`)
}
