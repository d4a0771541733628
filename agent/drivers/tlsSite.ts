import { createPrivateKey, X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Driver } from '../kit/driver.ts'
import { notes, read, shortName, tlsProbe } from '../kit/host.ts'
import { ensureTlsFolders, noteKind, sweepKeys, tlsNow, tlsTexts, writeKeys } from './tlsFiles.ts'
import { type Changes, httpsFile, siteFile, tlsFile, type WebServer } from './webServer.ts'
import { webServerHere } from './webServers.ts'

/**
 * A website over https. The new certificate has to be shown by the running nginx for each of its names, asked by TLS,
 * before the one before is let go; else that one is served again.
 */
export const ensureTlsSite: Driver<'tls-site.ensure'> = {
  async run(c) {
    const { domain, names, chain, privateKey } = c.input
    const web = webServerHere()
    if (!new X509Certificate(chain).checkPrivateKey(createPrivateKey(privateKey)))
      throw new Error('This key is not the key of this certificate')
    c.fence()
    await ensureTlsFolders(web)
    const fingerprint = await writeKeys(chain, privateKey)
    await keepBefore(c)
    const isServedHere = (await read(siteFile(web, domain))) !== undefined
    const { generation, changed } = await web
      .apply(
        c,
        { ...web.base(), ...tlsTexts(web, c.input) },
        { check: () => (isServedHere ? shows(names, fingerprint, c.say) : Promise.resolve()) },
      )
      .finally(() => sweepKeys(web)) // also the key of one that was not taken in
    if (!isServedHere) c.say(`${domain} is not served yet: it takes its certificate in when it is`)
    if (!changed) c.say(`${domain} answers with it already`)
    return { fingerprint, generation }
  },
  undo: putBack,
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find(noteKind, shortName(input.domain)))?.by === actionId ? 'no' : 'yes'
    return (await webServerHere().isServed(tlsTexts(webServerHere(), input))) ? 'yes' : 'no'
  },
}

export const removeTlsSite: Driver<'tls-site.remove'> = {
  async run(c) {
    const { domain } = c.input
    const web = webServerHere()
    c.fence()
    await keepBefore(c)
    await web.apply(c, noneOf(web, domain))
    c.say(`${domain} answers over http alone`)
    await sweepKeys(web)
  },
  undo: putBack,
  async inspect({ input: { domain }, task, actionId }) {
    if (task === 'undo') return (await notes.find(noteKind, shortName(domain)))?.by === actionId ? 'no' : 'yes'
    return (await webServerHere().isServed(noneOf(webServerHere(), domain))) ? 'yes' : 'no'
  },
}

const noneOf = (web: WebServer, domain: string): Changes => ({
  [tlsFile(web, domain)]: undefined,
  [httpsFile(web, domain)]: undefined,
})

type Changing = Context<'tls-site.ensure'> | Context<'tls-site.remove'>

/** What was there before this action, for its undo. A later attempt finds its own middle and keeps what it knows. */
async function keepBefore({ input: { domain }, actionId }: Changing): Promise<void> {
  if ((await notes.find(noteKind, shortName(domain)))?.by === actionId) return
  const web = webServerHere()
  const now = await tlsNow(web, domain)
  await notes.keep(noteKind, shortName(domain), actionId, {
    tls: now[tlsFile(web, domain)] ?? '',
    https: now[httpsFile(web, domain)] ?? '',
  })
}

async function putBack({ input: { domain }, actionId, say, fence }: Changing): Promise<void> {
  const note = await notes.find(noteKind, shortName(domain))
  if (note?.by !== actionId) return say(`${domain} stays as it is: what changed it is another action`)
  const web = webServerHere()
  const good: Changes = {
    [tlsFile(web, domain)]: note.about.tls || undefined,
    [httpsFile(web, domain)]: note.about.https || undefined,
  }
  await web.apply({ say, fence }, good)
  await notes.forget(noteKind, shortName(domain))
  await sweepKeys(web)
  say(note.about.tls ? `${domain} answers with the certificate that it had` : `${domain} answers over http alone`)
}

/** The running web server shows this certificate for all of these names. */
async function shows(names: readonly string[], fingerprint: string, say: (text: string) => void): Promise<void> {
  let wrong = ''
  for (const end = performance.now() + 5000; performance.now() < end; await sleep(100)) {
    wrong = ''
    for (const name of names) {
      const seen = await tlsProbe('127.0.0.1', 443, name.replace(/^\*/, 'any-name'))
      if (seen.fingerprint === fingerprint) continue
      wrong = `${name} shows ${seen.fingerprint ? `another certificate, for ${seen.text}` : `none: ${seen.text}`}`
      break
    }
    if (!wrong) return say(`${names.join(', ')}: shown with ${fingerprint.slice(0, 16)}…`)
  }
  throw new Error(`The new certificate is not what visitors get: ${wrong}`)
}
