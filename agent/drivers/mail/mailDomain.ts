import { existsSync } from 'node:fs'
import { readdir, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Context, Driver } from '../../kit/driver.ts'
import {
  bringBack,
  ensureDirectory,
  exclusive,
  must,
  notes,
  remove,
  replace,
  run,
  throwAway,
  thrown,
} from '../../kit/host.ts'
import { kept, restored } from '../files/restored.ts'
import {
  domainFile,
  domainsFolder,
  type MailDomain,
  mailHome,
  readDomain,
  readDomains,
  textOf,
  userHome,
  writeDovecot,
} from './mailFiles.ts'
import { writeSelectors } from './mailKey.ts'
import { refuseForNow, writeMaps } from './mailMaps.ts'
import { delivered, passedOn } from './mailQueue.ts'
import { endSessions } from './mailReload.ts'
import { writeSieve } from './mailReply.ts'
import { writeCertificates } from './mailTls.ts'

const kind = 'mail-domain'
type Voice = Pick<Context<'mail-domain.ensure'>, 'say' | 'fence'>
const settingsLabel = (mailboxId: number) => `${mailboxId}.mail-domain`
const mailLabel = (mailboxId: number, userId?: number) =>
  userId === undefined ? `${mailboxId}.mail` : `${mailboxId}-${userId}.mail`

/** Gives Postfix and Dovecot exactly these mailboxes of a domain. Undo restores the former ones. */
export const ensureMailDomain: Driver<'mail-domain.ensure'> = {
  run: (c) =>
    exclusive('mail', async () => {
      if (!existsSync('/usr/sbin/postfix') || !existsSync('/usr/sbin/dovecot'))
        throw new Error('Postfix and Dovecot are not installed: their packages come first')
      const { input, actionId, say } = c
      const before = await readDomain(input.mailboxId)
      await refuseTwins(input)
      const text = textOf(input, before)
      if ((await notes.find(kind, `${input.mailboxId}`))?.by !== actionId)
        await notes.keep(kind, `${input.mailboxId}`, actionId, before ? { before: JSON.stringify(before) } : {})
      c.fence()
      await ensureDirectory(domainsFolder, { mode: 0o700 })
      await replace(domainFile(input.mailboxId), text, { mode: 0o600 })
      await converge(c)
      await kickOut(before, await readDomain(input.mailboxId))
      say(`${input.domain}: ${input.users.length} mailboxes, ${input.aliases.length} aliases, ${input.state}`)
    }),
  undo: (c) =>
    exclusive('mail', async () => {
      const { mailboxId, domain } = c.input
      const note = await notes.find(kind, `${mailboxId}`)
      if (note?.by !== c.actionId) return c.say(`${domain} was not changed by this action: it stays`)
      c.fence()
      const now = await readDomain(mailboxId)
      if (note.about.before === undefined) await remove(domainFile(mailboxId))
      else await replace(domainFile(mailboxId), note.about.before, { mode: 0o600 })
      await converge(c)
      await kickOut(now, await readDomain(mailboxId))
      await notes.drop(kind, `${mailboxId}`)
      c.say(note.about.before === undefined ? `${domain} has no mail here any more` : `${domain} is as it was before`)
    }),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find(kind, `${input.mailboxId}`))?.by === actionId ? 'no' : 'yes'
    return 'no' // a repeat is harmless, and also repairs maps that a kill left behind
  },
}

/** Removes a domain. Its settings and its mail go into the trash. Undo restores both. */
export const removeMailDomain: Driver<'mail-domain.remove'> = {
  async run(c) {
    const { mailboxId, domain } = c.input
    // without the domain, what waits would go where DNS says, which may be this server still
    const passes = (await readDomain(mailboxId))?.moving?.phase === 'moved'
    if (passes) await passedOn(domain)
    await exclusive('mail', async () => {
      const now = await readDomain(mailboxId)
      if (passes) await passOnLast(c, domain)
      const taken = await thrown(c.actionId, settingsLabel(mailboxId)) // an attempt before may have ended here
      if (!now && !taken && !existsSync(`${mailHome}/${mailboxId}`)) return c.say(`${domain} was gone already`)
      c.fence()
      await throwAway(c.actionId, domainFile(mailboxId), settingsLabel(mailboxId), kept(c.input))
      await converge(c)
      await kickOut(now, undefined)
      await throwAway(c.actionId, `${mailHome}/${mailboxId}`, mailLabel(mailboxId), kept(c.input))
      await notes.drop(kind, `${mailboxId}`)
      c.say(`${domain} and its mail are in the trash`)
    })
  },
  undo: (c) =>
    exclusive('mail', async () => {
      const { mailboxId, domain } = c.input
      const settings = await thrown(c.actionId, settingsLabel(mailboxId))
      // an attempt before may have ended between the settings and the maps
      if (!settings && !existsSync(domainFile(mailboxId))) return c.say(`${domain} is not in the trash of this action`)
      c.fence()
      await mailBack(c, mailboxId)
      if (settings) await bringBack(settings)
      await converge(c)
      c.say(`${domain} has its mail again`)
    }),
  async inspect({ input: { mailboxId }, task, actionId }) {
    // a repeat is harmless, and completes the maps
    const taken = await thrown(actionId, settingsLabel(mailboxId))
    const isThere = existsSync(domainFile(mailboxId)) || (task === 'run' && existsSync(`${mailHome}/${mailboxId}`))
    return taken || isThere ? 'no' : 'yes'
  },
}

/** Passes on what arrived meanwhile. Postfix takes no more for the domain until the maps are written. */
async function passOnLast({ say }: Voice, domain: string): Promise<void> {
  await refuseForNow([domain])
  try {
    await endSessions(say)
    await passedOn(domain)
  } catch (error) {
    await refuseForNow([])
    throw error
  }
}

export const restoreMailDomain = restored<'mail-domain.restore', 'mail-domain.remove'>(removeMailDomain, (c) =>
  thrown(c.actionId, settingsLabel(c.input.mailboxId)),
)

/** Moves the mail of one mailbox into the trash. Undo restores it. */
export const removeMailFolder: Driver<'mail-folder.remove'> = {
  run: (c) =>
    exclusive('mail', async () => {
      const { mailboxId, userId } = c.input
      c.fence()
      const path = await throwAway(c.actionId, userHome(mailboxId, userId), mailLabel(mailboxId, userId), kept(c.input))
      c.say(path ? 'its mail is in the trash' : 'it has received no mail')
    }),
  undo: (c) => exclusive('mail', () => mailBack(c, c.input.mailboxId, c.input.userId)),
  async inspect({ input: { mailboxId, userId }, task, actionId }) {
    if (task === 'undo') return (await hasMailInTrash(actionId, mailboxId, userId)) ? 'no' : 'yes'
    return existsSync(userHome(mailboxId, userId)) ? 'no' : 'yes'
  },
}
export const restoreMailFolder = restored<'mail-folder.restore', 'mail-folder.remove'>(removeMailFolder, (c) =>
  thrown(c.actionId, mailLabel(c.input.mailboxId, c.input.userId)),
)

async function mailBack(
  { actionId, say, fence }: Pick<Context<'mail-domain.remove'>, 'actionId' | 'say' | 'fence'>,
  mailboxId: number,
  userId?: number,
): Promise<void> {
  const home = homeOf(mailboxId, userId)
  const there = await thrown(actionId, mailLabel(mailboxId, userId))
  fence()
  if (there) {
    if (userId !== undefined) await makeParent(mailboxId)
    // Dovecot creates the folder again for a session that was ending, and for mail that was being delivered
    if (existsSync(home) && !existsSync(laterOf(home))) await rename(home, laterOf(home))
    await bringBack(there)
  }
  const added = existsSync(laterOf(home)) ? await moveMessages(laterOf(home), home) : 0
  if (added) say(`${added} messages that came later are in the same folders`)
  say(there ? 'its mail is restored' : 'this action has no mail in the trash')
}

/** The folder of a domain, or of one of its mailboxes. */
const homeOf = (mailboxId: number, userId?: number) =>
  userId === undefined ? `${mailHome}/${mailboxId}` : userHome(mailboxId, userId)
const laterOf = (home: string) => `${home}.later`
/** Whether a restore has something left to do. */
const hasMailInTrash = async (actionId: number, mailboxId: number, userId?: number) =>
  (await thrown(actionId, mailLabel(mailboxId, userId))) !== undefined || existsSync(laterOf(homeOf(mailboxId, userId)))

/** Moves all messages from one mail folder into the same subfolders of another. Then removes the first. */
async function moveMessages(from: string, to: string): Promise<number> {
  const as = await stat(mailHome)
  const messages = (await readdir(from, { recursive: true })).filter((path) => /\/(cur|new)\/[^/]+$/.test(path))
  for (const message of messages) {
    const folder = `${to}/${dirname(message)}`
    await must(['mkdir', '--parents', '--mode=0700', '--', folder], { as })
    await must(['mv', '--no-clobber', '--', `${from}/${message}`, folder], { as })
  }
  await must(['rm', '-rf', '--', from], { as })
  return messages.length
}

async function makeParent(mailboxId: number): Promise<void> {
  const { uid, gid } = await stat(mailHome)
  await ensureDirectory(`${mailHome}/${mailboxId}`, { mode: 0o700, owner: { uid, gid } })
}

/** Throws if another mail domain of the control plane has the same name on this server. */
async function refuseTwins({ mailboxId, domain }: OperationInput<'mail-domain.ensure'>): Promise<void> {
  const twin = (await readDomains()).find((one) => one.domain === domain && one.mailboxId !== mailboxId)
  if (twin) throw new Error(`${domain} is mail domain ${twin.mailboxId} on this server already`)
}

/** Writes all maps and files from the domains of this server. Idempotent. */
async function converge(voice: Voice): Promise<void> {
  const all = await readDomains()
  await writeSieve(all)
  const held = all.filter(({ moving }) => moving?.phase === 'held')
  // wait until current deliveries end before the mailboxes of the domain close; they would bounce otherwise
  if (held.length) {
    await writeMaps(all)
    await Promise.all(held.map(({ domain }) => delivered(domain)))
  }
  await writeDovecot(all)
  await writeMaps(all)
  await writeSelectors(all)
  await writeCertificates(voice, all)
}

/** Ends the sessions of mailboxes that may no longer sign in, or whose password changed. */
async function kickOut(before: MailDomain | undefined, after: MailDomain | undefined): Promise<void> {
  const isIn = (domain: MailDomain | undefined, userId: number) =>
    !domain?.moving &&
    domain?.state !== 'disabled' &&
    domain?.users.some((user) => user.userId === userId && user.state !== 'disabled')
  const gone = (before?.users ?? []).filter(({ userId }) => {
    if (!isIn(before, userId)) return false
    const changed = JSON.stringify(before?.hashes[userId]) !== JSON.stringify(after?.hashes[userId])
    return changed || !isIn(after, userId)
  })
  // Dovecot looks for a changed file once a second: before the next second, a session that ends could sign in again
  if (gone.length) await setTimeout(1000 - (Date.now() % 1000))
  // fails for a mailbox without sessions
  for (const { localPart } of gone) await run(['doveadm', 'kick', `${localPart}@${before?.domain}`])
}
