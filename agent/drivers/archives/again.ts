import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Context, Driver } from '../../kit/driver.ts'
import { absent, flow, notes, remove, replace } from '../../kit/host.ts'
import { type Account, siteAccount } from '../accounts/systemAccounts.ts'
import { progress } from '../dumps/reading.ts'
import { folderOf } from '../files/documentRoot.ts'
import { readDomain, userHome } from '../mail/mailFiles.ts'
import { vmail } from '../restic/mailTree.ts'
import { besideKept, type Kept, keptOf, opened } from './kept.ts'
import { arrivalOf, messageIn } from './mailFolders.ts'
import { inLimit, inRoom, onDisk } from './room.ts'
import { Rules } from './rules.ts'
import type { Member } from './tar.ts'
import { hardLinkOf, joined, sameName, siteTarget } from './unpack.ts'
import { Turns, Unpacker } from './unpacker.ts'
import { bytesOf, Stop, walk } from './walk.ts'

type Again = Context<'archive.again'>
const kind = 'archive-again'
const MOST_NAMED = 30
const MOST_PATHS = 1_000_000

/** A folder here with what an archive brings to it. */
interface Place {
  /** A name for its files in the folder of the agent: `site-12`. */
  key: string
  folder: string
  as: Account
  /** When the former import ended: what changed later was changed here. */
  since: number
  /** The newest in the former archive: what is newer was not in it. */
  packed: number
  roots: readonly { from: string; to: string }[]
  edit?: (path: string, text: string) => string
  /** Names of all messages here, for mail. */
  messages?: Set<string>
  /** Paths that come, and whether a file here is replaced. */
  coming: Map<string, boolean>
  bytes: number
  /** Bytes that the files take on the disk, without those that they replace. */
  disk: number
  same: number
  /** Changed here and there: stays. */
  kept: Tally
  /** In the former archive by its time, and not here: somebody deleted it here. */
  gone: Tally
}
interface Tally {
  count: number
  names: string[]
}
const note = (tally: Tally, name: string) => {
  tally.count++
  if (tally.names.length < MOST_NAMED) tally.names.push(name.slice(0, 300))
}

export const bringAgain: Driver<'archive.again'> = {
  async run(c) {
    const { input, actionId, say, fence } = c
    const noted = await notes.find(kind, `${actionId}`)
    // visitors may have changed the files since: a repeat brings nothing again
    if (noted?.about.answer) return JSON.parse(noted.about.answer) as object // written below
    const kept = await keptOf(input.importId)
    const places = await placesOf(c, kept)
    await each(c, kept, places, judged)
    const bytes = [...places.values()].reduce((all, one) => all + one.bytes, 0)
    await inRoom('/home', bytes, 'the changed files')
    for (const [username, sites] of Map.groupBy(input.sites, (site) => site.username)) {
      const disk = sites.reduce((all, { websiteId }) => all + (places.get(`site-${websiteId}`)?.disk ?? 0), 0)
      await inLimit(await siteAccount(username), disk, 'the changed files')
    }
    fence()
    if (!noted) {
      for (const place of places.values()) await save(input.importId, place)
      await notes.keep(kind, `${actionId}`, actionId)
    }
    const unpackers = new Map(
      [...places].map(([key, { folder, as, roots, edit }]) => [
        key,
        new Unpacker({ folder, as, roots, ...(edit && { edit }) }),
      ]),
    )
    const turns = new Turns()
    try {
      await each(c, kept, places, async (place, member, path, link) => {
        const unpacker = unpackers.get(place.key)
        if (!unpacker || (member.type !== 'folder' && !place.coming.has(path))) return
        if (member.type === 'folder' && (place.messages || (await there(place, path)))) return
        await turns.to(unpacker)
        await unpacker.write(member, path, link)
      })
      await turns.end()
    } finally {
      await turns.drop()
    }
    const answer = {
      at: Date.now(),
      places: [...places.values()].map(({ key, same, kept: stays, gone, coming }) => ({
        ...{ key, same, kept: stays, gone, replaced: [...coming.values()].filter(Boolean).length },
        ...{ brought: coming.size, written: unpackers.get(key)?.written ?? null },
      })),
    }
    await notes.keep(kind, `${actionId}`, actionId, { answer: JSON.stringify(answer) })
    say(
      `${[...places.values()].reduce((all, { coming }) => all + coming.size, 0)} files and messages came, ${bytes} bytes`,
    )
    return answer
  },
  async undo(c) {
    const { input, actionId, say, fence } = c
    if (!(await notes.find(kind, `${actionId}`))) return say('nothing came')
    fence()
    for (const { key, folder, as } of await foldersOf(input)) await bringBack(input.importId, key, folder, as)
    await notes.drop(kind, `${actionId}`)
    say('what came is gone, and what was replaced is back')
  },
  inspect: async ({ task, actionId }) => (task === 'undo' && !(await notes.find(kind, `${actionId}`)) ? 'yes' : 'no'),
}

/** Which folders an import concerns. */
async function foldersOf({ sites, mail }: Again['input']) {
  const found: Pick<Place, 'key' | 'folder' | 'as' | 'since' | 'packed'>[] = []
  for (const { since, packed = since, ...site } of sites)
    found.push({
      ...{ key: `site-${site.websiteId}`, folder: folderOf(site), since, packed },
      as: await siteAccount(site.username),
    })
  for (const { mailboxId, users, since } of mail)
    for (const { userId, packed = since } of users)
      found.push({
        ...{ key: `mail-${userId}`, folder: `${userHome(mailboxId, userId)}/Maildir`, since, packed },
        as: await vmail(),
      })
  return found
}

async function placesOf({ input }: Again, kept: Kept): Promise<Map<string, Place>> {
  for (const { mailboxId, users, from } of input.mail) {
    const known = await readDomain(mailboxId)
    if (!users.every(({ userId }) => known?.users.some((one) => one.userId === userId)))
      throw new Error(`the mail domain ${from} or one of its mailboxes is not on this server`)
  }
  const places = new Map<string, Place>()
  for (const one of await foldersOf(input)) {
    const site = input.sites.find(({ websiteId }) => one.key === `site-${websiteId}`)
    places.set(one.key, {
      ...{
        ...one,
        coming: new Map(),
        bytes: 0,
        disk: 0,
        same: 0,
        kept: { count: 0, names: [] },
        gone: { count: 0, names: [] },
      },
      ...(site ? siteTarget(kept, site.from) : { roots: [], messages: await messagesIn(one.folder) }),
    })
  }
  return places
}

/** Names of messages without their flags: programs of people change those. */
async function messagesIn(maildir: string): Promise<Set<string>> {
  const found = new Set<string>()
  const folders = (await readdir(maildir).catch(absent)) ?? []
  for (const at of ['', ...folders.filter((one) => one.startsWith('.'))])
    for (const state of ['cur', 'new'])
      for (const name of (await readdir(join(maildir, at, state)).catch(() => [])) as string[]) found.add(baseOf(name))
  return found
}
const baseOf = (name: string) => name.slice(name.lastIndexOf('/') + 1).split(':')[0] ?? name

type Visit = (place: Place, member: Member, path: string, link: string | undefined) => Promise<void>

/** Reads the archive to its end. */
async function each({ input, say, stop }: Again, kept: Kept, places: ReadonlyMap<string, Place>, visit: Visit) {
  const rules = new Rules(kept.rules)
  const users = input.mail.map((one) => ({
    from: one.from,
    boxes: new Map(one.users.map(({ localPart, userId }) => [localPart, places.get(`mail-${userId}`)])),
  }))
  const handle = await opened(input, kept.seen)
  try {
    let read = 0
    const tell = progress(say, (await handle.stat()).size)
    const bytes = bytesOf(handle, (part) => {
      read += part
      tell(read)
    })
    for await (const found of walk(bytes, kept.wrapping, () => true)) {
      if (stop.aborted) throw new Stop('stopped')
      if ('fault' in found) throw new Error(`${found.in} cannot be read: ${found.fault}`)
      const { member, path } = found
      const { rule, within = '' } = (path === undefined ? undefined : rules.of(path)) ?? {}
      if (!rule || member.refusal) continue
      if (rule.kind === 'site') {
        const site = input.sites.find((one) => sameName(rule.site, one.from))
        const place = site && places.get(`site-${site.websiteId}`)
        const link = member.type === 'hardlink' ? hardLinkOf(path ?? '', member.target, rules, rule, kept) : undefined
        if (place) await visit(place, member, joined(rule.to, within), link)
      } else if (rule.kind === 'mail' && messageIn(within) && member.type === 'file') {
        const { boxes } = users.find((one) => sameName(rule.domain, one.from)) ?? {}
        const place = boxes?.get(rule.account.toLowerCase())
        if (place) await visit(place, member, within, undefined)
      }
    }
  } finally {
    await handle.close()
  }
}

const there = ({ folder }: Place, path: string) => lstat(join(folder, path)).catch(() => undefined)

/** Decides what becomes of one member. */
const judged: Visit = async (place, member, path) => {
  if (path === '' || (member.type !== 'file' && member.type !== 'symlink')) return // a hard link has its file already
  if (place.coming.size >= MOST_PATHS) throw new Error(`more than ${MOST_PATHS} files have changed: import it anew`)
  if (place.messages) {
    const base = baseOf(path)
    if (place.messages.has(base)) place.same++
    else if ((arrivalOf(base) ?? Number.POSITIVE_INFINITY) * 1000 <= place.packed) note(place.gone, path)
    else come(place, member, path, false)
    return
  }
  const here = await there(place, path)
  if (!here) {
    if (member.mtime * 1000 <= place.packed) note(place.gone, path)
    else come(place, member, path, false)
  } else if (here.size === member.size && Math.floor(here.mtimeMs / 1000) === member.mtime) place.same++
  // the import has edited this file, which has another size than in the archive
  else if (
    path.endsWith('.htaccess') &&
    Math.floor(here.mtimeMs / 1000) === member.mtime &&
    here.ctimeMs <= place.since
  )
    place.same++
  else if (here.ctimeMs > place.since || here.isDirectory()) note(place.kept, path)
  else come(place, member, path, true, here.blocks * 512)
}

function come(place: Place, member: Member, path: string, replaces: boolean, former = 0): void {
  place.coming.set(path, replaces)
  place.bytes += member.size
  place.disk += onDisk(member) - former
}

const savedOf = (importId: number, key: string) => besideKept(importId, `${key}.tar`)
const newOf = (importId: number, key: string) => besideKept(importId, `${key}.new`)

/** Keeps the files that will be replaced, and the names of those that are new. tar runs as the owner. */
async function save(importId: number, { key, folder, as, coming }: Place): Promise<void> {
  if (!coming.size) return
  const names = (replaces: boolean) => [...coming].flatMap(([path, is]) => (is === replaces ? `${path}\0` : []))
  const old = names(true)
  const saved = savedOf(importId, key)
  await replace(newOf(importId, key), names(false).join(''), { mode: 0o600 })
  await rm(saved, { force: true })
  if (old.length)
    await flow(
      ['tar', '--create', '--file=-', '--null', '--verbatim-files-from', `--directory=${folder}`, '--files-from=-'],
      { as: idsOf(as), from: [Readable.from(old)], to: [createWriteStream(saved, { flags: 'wx', mode: 0o600 })] },
    )
}

const idsOf = ({ uid, gid }: Account) => ({ uid, gid })

async function bringBack(importId: number, key: string, folder: string, as: Account): Promise<void> {
  const [fresh, saved] = [newOf(importId, key), savedOf(importId, key)]
  if (await lstat(fresh).catch(absent))
    await flow(['xargs', '--null', '--no-run-if-empty', 'sh', '-c', 'cd "$0" && exec rm --force -- "$@"', folder], {
      ...{ as: idsOf(as), from: [createReadStream(fresh)] },
    })
  if (await lstat(saved).catch(absent))
    await flow(['tar', '--extract', '--file=-', '--preserve-permissions', `--directory=${folder}`], {
      ...{ as: idsOf(as), from: [createReadStream(saved)] },
    })
  await remove(saved)
  await remove(fresh)
}
