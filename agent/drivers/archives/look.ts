import type { FileHandle } from 'node:fs/promises'
import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { Driver } from '../../kit/driver.ts'
import { sealFor } from '../../kit/sealed.ts'
import { progress } from '../dumps/reading.ts'
import { identityOf, type Kept, keep, keptOf, opened } from './kept.ts'
import type { Layout } from './layout.ts'
import { layoutOf } from './layoutOf.ts'
import { arrivalOf, messageIn } from './mailFolders.ts'
import { linkTarget, tally } from './names.ts'
import { isAppConfig, mentionsIn } from './records.ts'
import { onDisk } from './room.ts'
import { type Rule, Rules } from './rules.ts'
import { textOf } from './unpacked.ts'
import { bytesOf, Stop, type Wrapping, walk, wrappingOf } from './walk.ts'

/** The control plane takes two megabytes in one report. */
const MOST_ANSWER = 1_500_000
export const lookAtArchive: Driver<'archive.look'> = {
  async run({ input, say, stop }) {
    const handle = await opened(input)
    try {
      const kept = await readArchive(handle, { say, stop }, input.domain)
      await keep(input.importId, kept)
      const { websites, databases, mail } = kept.inventory
      say(`${websites.length} websites, ${databases.length} databases, ${mail.length} mail domains`)
      return kept.inventory
    } finally {
      await handle.close()
    }
  },
  undo: async () => undefined, // what the look keeps goes with the import
  inspect: async () => 'no', // reads only, so a repeat is harmless
}

/** Reads an archive to its end, and writes nothing. */
export async function readArchive(
  handle: FileHandle,
  { say, stop }: { say(text: string): void; stop: AbortSignal },
  named?: string,
): Promise<Kept> {
  const { size } = await handle.stat()
  const wrapping = await wrappingOf(bytesOf(handle))
  say(`${panels[wrapping.format]}, ${size} bytes`)
  const layout = await layoutOf(handle, wrapping, named)
  await count(handle, wrapping, layout, { say: progress(say, size), stop })
  shorten(layout.inventory)
  if (JSON.stringify(layout.inventory).length > MOST_ANSWER)
    throw new Error('what the archive contains is too long for one plan: more than 1.5 MB of names and records')
  return { ...layout, wrapping, seen: await identityOf(handle) }
}
const panels: Record<Wrapping['format'], string> = {
  ...{ hestia: 'an archive of HestiaCP', vesta: 'an archive of Vesta', cpanel: 'an archive of cPanel' },
  ...{ directadmin: 'an archive of DirectAdmin', plesk: 'a backup of Plesk' },
  ...{ ispconfig: 'files of ISPConfig with its database', plain: 'a plain folder', machine: 'websites of a machine' },
}

/** Answers hashes and keys for the holder of a key. */
export const readArchiveSecrets: Driver<'archive.secrets'> = {
  run: async ({ input: { importId, reader } }) => ({
    sealed: sealFor(reader, JSON.stringify((await keptOf(importId)).secrets)),
  }),
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}

/** Counts the members of each part, and finds parts that break off. */
async function count(
  handle: FileHandle,
  wrapping: Wrapping,
  { inventory, rules: all, roots }: Layout,
  { say, stop }: { say: (bytes: number) => void; stop: AbortSignal },
): Promise<void> {
  const rules = new Rules(all)
  const sites = new Map(
    inventory.websites.map((one) => [one.domain, { one, refused: tally(), mentions: new Set<string>() }]),
  )
  const mail = new Map(
    inventory.mail.map((one) => [
      one.domain,
      { one, refused: tally(), boxes: new Map(one.mailboxes.toReversed().map((box) => [box.name, box])) },
    ]),
  )
  const elsewhere = tally()
  const databases = new Set(inventory.databases.map(({ name }) => name))
  const now = Date.now() / 1000
  /** A time of the future is a wrong clock, or somebody's joke: it would hide what comes later. */
  const note = (one: { newest?: number | undefined }, time: number) => {
    if (time > 0 && time <= now && time > (one.newest ?? 0)) one.newest = Math.floor(time)
  }
  let read = 0
  const bytes = bytesOf(handle, (part) => {
    read += part
    say(read)
  })
  for await (const found of walk(bytes, wrapping, () => true)) {
    if (stop.aborted) throw new Stop('stopped')
    if ('fault' in found) {
      noteFault(inventory, found.in, found.fault)
      continue
    }
    const { member, path } = found
    inventory.members++
    inventory.bytes += member.size
    const placed = path === undefined ? undefined : rules.of(path)
    const site = placed?.rule.kind === 'site' ? sites.get(placed.rule.site) : undefined
    const box = placed?.rule.kind === 'mail' ? mail.get(placed.rule.domain) : undefined
    const refusal = member.refusal ?? refusals[member.type]
    if (refusal) {
      ;(site?.refused ?? box?.refused ?? elsewhere).add(refusal)
      continue
    }
    if (site && placed) {
      if (member.type === 'file' || member.type === 'hardlink') site.one.files++
      if (member.type === 'symlink') {
        const { to } = placed.rule as Rule & { kind: 'site' } // `site` is set for these rules alone
        if (linkTarget(`${to}/${placed.within}`, member.target, roots[site.one.domain] ?? []) === undefined)
          site.refused.add('link that leaves the website')
        else site.one.links++
      }
      if (member.mode & 0o6000 && member.type === 'file') site.refused.add('setuid or setgid bit is dropped')
      site.one.bytes += member.size
      site.one.disk = (site.one.disk ?? 0) + onDisk(member)
      if (member.type !== 'folder') note(site.one, member.mtime)
      if (member.type === 'file' && member.size <= 262_144 && isAppConfig(placed.within))
        for (const word of mentionsIn(await configIn(member.body()))) if (databases.has(word)) site.mentions.add(word)
      if (member.type === 'file' && /(?:^|\/)\.htaccess$/.test(placed.within))
        site.one.htaccess = (site.one.htaccess ?? 0) + 1
      if (member.type === 'file' && /(?:^|\/)\.htpasswd$/.test(placed.within)) site.one.protectedBy.push(placed.within)
    }
    if (box && placed && /^(?:sieve\/.+\.sieve|\.dovecot\.sieve)$/.test(placed.within) && member.type === 'file')
      box.refused.add('Sieve filter, which Innkeeper does not have')
    if (box && placed?.rule.kind === 'mail' && messageIn(placed.within)) {
      const mailbox = box.boxes.get(placed.rule.account)
      if (mailbox && member.type !== 'folder') {
        mailbox.messages++
        mailbox.bytes += member.size
        note(mailbox, arrivalOf(placed.within) ?? member.mtime)
      }
    }
  }
  for (const { one, refused, mentions } of sites.values())
    Object.assign(one, { refused: refused.counts, mentions: [...new Set([...one.mentions, ...mentions])] })
  for (const { one, refused } of mail.values()) one.refused = { ...one.refused, ...refused.counts }
  inventory.refused = elsewhere.counts
}

/** A part that breaks off is noted by whoever reads on. */
const configIn = (body: AsyncIterable<Buffer>) =>
  textOf(body, 262_144).then(
    (text) => text ?? '',
    () => '',
  )

const refusals: Partial<Record<string, string>> = {
  device: 'device or pipe',
  other: 'sparse file or unknown kind of member',
}

function noteFault(inventory: Inventory, at: string, fault: string): void {
  const [kind, folder] = at.split('/')
  const isFiles = kind === 'homedir' || /(?:^|\/)backup_user-data_\d+$/.test(at)
  const dump = /(?:^|\/)databases\/([^/]+?)(?:_\d{1,9})?\/backup_sqldump_\d+$/.exec(at)?.[1]
  for (const database of inventory.databases) if (database.name === dump) database.dumpBytes = null
  // the folder of a part is the name in punycode, the website may have its name in Unicode
  for (const site of inventory.websites)
    if (isFiles || (kind === 'web' && site.root.includes(`/web/${folder}/`))) site.fault = fault
  for (const domain of inventory.mail)
    if (kind === 'homedir' || (kind === 'mail' && domain.domain === folder)) domain.fault = fault
}

/** Texts that people read are bounded; what is left out is said. */
function shorten(inventory: Inventory): void {
  for (const job of inventory.cron) job.command = job.command.slice(0, 2000)
  for (const site of inventory.websites) {
    site.ownSettings = site.ownSettings.slice(0, 20)
    site.protectedBy = site.protectedBy.slice(0, 50)
  }
}
