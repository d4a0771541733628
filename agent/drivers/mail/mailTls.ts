import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import type { Context, Driver } from '../../kit/driver.ts'
import { absent, ensureDirectory, exclusive, notes, read, remove, replace, tlsProbe, until } from '../../kit/host.ts'
import { groupId } from '../accounts/systemAccounts.ts'
import { announce } from './mailDiscovery.ts'
import { dovecotFolder, hostCertificates, type MailDomain, readDomains } from './mailFiles.ts'
import { reloadDovecot, reloadPostfix } from './mailReload.ts'
import { sniFile } from './postfix.ts'
import { postmap } from './postmap.ts'

/** Per mail domain: a file that names the fingerprint, and key and chain in one file of that fingerprint. */
const folder = '/etc/innkeeper/mail-tls'
const pointer = (mailboxId: number) => `${folder}/${mailboxId}`
const pemFile = (mailboxId: number, fingerprint: string) => `${folder}/${mailboxId}-${fingerprint}.pem`
const kind = 'mail-tls'
type Voice = Pick<Context<'mail-tls.ensure'>, 'say' | 'fence'>
/** Days for which unused keys are kept: a deleted mail domain may be restored. */
const KEPT_DAYS = 40
const hostOf = (domain: string) => `mail.${domain}`

/** Gives the mail host of a domain its certificate. Undo gives it the former one, or that of the server. */
export const ensureMailTls: Driver<'mail-tls.ensure'> = {
  run: (c) =>
    exclusive('mail', async () => {
      const { mailboxId, domain, chain, privateKey } = c.input
      const certificate = new X509Certificate(chain)
      if (!certificate.checkPrivateKey(createPrivateKey(privateKey)))
        throw new Error('This key is not the key of this certificate')
      if (!certificate.checkHost(hostOf(domain))) throw new Error(`This certificate is not for ${hostOf(domain)}`)
      if (!(await readDomains()).some((one) => one.mailboxId === mailboxId))
        throw new Error(`${domain} has no mail on this server`)
      const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
      const before = await fingerprintNow(mailboxId)
      if ((await notes.find(kind, `${mailboxId}`))?.by !== c.actionId)
        await notes.keep(kind, `${mailboxId}`, c.actionId, before ? { before } : {})
      c.fence()
      await ensureDirectory(folder, { mode: 0o700 })
      await replace(pemFile(mailboxId, fingerprint), `${privateKey.trim()}\n${chain.trim()}\n`, { mode: 0o600 })
      try {
        await show(c, mailboxId, fingerprint)
        await isShown(hostOf(domain), fingerprint)
      } catch (error) {
        await show(c, mailboxId, before)
        throw error
      }
      c.say(`${hostOf(domain)} shows this certificate to mail programs and mail servers`)
      return { fingerprint }
    }),
  undo: (c) =>
    exclusive('mail', async () => {
      const { mailboxId, domain } = c.input
      const note = await notes.find(kind, `${mailboxId}`)
      if (note?.by !== c.actionId) return c.say(`the certificate of ${hostOf(domain)} stays`)
      c.fence()
      await show(c, mailboxId, note.about.before)
      await notes.drop(kind, `${mailboxId}`)
      c.say(`${hostOf(domain)} shows ${note.about.before ? 'its former certificate' : 'that of the server'}`)
    }),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find(kind, `${input.mailboxId}`))?.by === actionId ? 'no' : 'yes'
    return 'no' // a repeat is harmless
  },
}

async function fingerprintNow(mailboxId: number): Promise<string | undefined> {
  const text = (await read(pointer(mailboxId)))?.trim()
  return text && (await read(pemFile(mailboxId, text))) !== undefined ? text : undefined
}

async function show(voice: Voice, mailboxId: number, fingerprint: string | undefined): Promise<void> {
  if (fingerprint) await replace(pointer(mailboxId), `${fingerprint}\n`, { mode: 0o600 })
  else await remove(pointer(mailboxId))
  await writeCertificates(voice, await readDomains())
}

/** Tells Postfix, Dovecot and the web server which certificate each mail host has. The caller holds the lock of mail. */
export async function writeCertificates(voice: Voice, all: readonly MailDomain[]): Promise<void> {
  const shown: { domain: string; host: string; pem: string }[] = []
  for (const { mailboxId, domain } of all) {
    const fingerprint = await fingerprintNow(mailboxId)
    if (fingerprint) shown.push({ domain, host: hostOf(domain), pem: pemFile(mailboxId, fingerprint) })
  }
  await announce(
    voice,
    all.map(({ domain }) => ({ domain, pem: shown.find((one) => one.domain === domain)?.pem })),
  )
  const owner = { uid: 0, gid: await groupId('dovecot') }
  await ensureDirectory(dovecotFolder, { mode: 0o750, owner })
  const blocks = shown.map(({ host, pem }) => `local_name ${host} {\n  ssl_cert = <${pem}\n  ssl_key = <${pem}\n}\n`)
  if (await replace(hostCertificates, blocks.join(''))) await reloadDovecot()
  const map = shown.map(({ host, pem }) => `${host} ${pem}\n`).join('')
  const isNew = await replace(sniFile, map, { mode: 0o600 })
  if (!isNew && (await stat(`${sniFile}.db`).catch(absent))) return
  // the map contains the keys themselves, and is readable by root only, as its source is
  await postmap(sniFile, '-F')
  await reloadPostfix()
  await sweep()
}

/** Removes keys that nothing has used for some time. */
async function sweep(): Promise<void> {
  for (const name of (await readdir(folder).catch(absent)) ?? []) {
    const [, id, fingerprint] = /^(\d+)-([0-9a-f]{64})\.pem$/.exec(name) ?? []
    if (!id || (await read(`${folder}/${id}`))?.trim() === fingerprint) continue
    const seen = await stat(`${folder}/${name}`).catch(absent)
    if (seen && seen.mtimeMs < Date.now() - KEPT_DAYS * 86_400_000) await remove(`${folder}/${name}`)
  }
}

/** Waits until IMAP and the submission of mail show this certificate to a client that names the host. */
async function isShown(host: string, fingerprint: string): Promise<void> {
  for (const { what, port, unit } of [
    { what: 'IMAP', port: 993, unit: 'dovecot' },
    { what: 'SMTP', port: 465, unit: 'postfix@-' },
  ])
    await until({
      what: `${what} shows the new certificate`,
      unit,
      async look() {
        const seen = await tlsProbe('127.0.0.1', port, host)
        if (seen.fingerprint === fingerprint) return
        const shown = seen.fingerprint ? `another certificate, for ${seen.text}` : `none: ${seen.text}`
        throw new Error(`The new certificate is not what mail programs get: ${what} shows ${shown}`)
      },
    })
}
