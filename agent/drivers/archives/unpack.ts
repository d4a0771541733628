import { rm, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { domain } from '@innkeeper/contract/kit/values'
import type { Context, Driver } from '../../kit/driver.ts'
import { notes, remove, spooled } from '../../kit/host.ts'
import { siteAccount } from '../accounts/systemAccounts.ts'
import { progress } from '../dumps/reading.ts'
import { folderOf } from '../files/documentRoot.ts'
import { Dumps, type WrittenDump } from './dumps.ts'
import { type Kept, keptOf, opened } from './kept.ts'
import { inLimit, inRoom } from './room.ts'
import { type Rule, Rules } from './rules.ts'
import { forFolders, Programs, type Target, Turns, Unpacker, type Written } from './unpacker.ts'
import { bytesOf, Stop, walk } from './walk.ts'

type Unpack = Context<'archive.unpack'>
const kind = 'archive-unpacked'

/** What an unpacking answers. */
interface Answer {
  /** When it ended, by the clock of this server: a file that changes later was changed here. */
  at: number
  sites: ({ websiteId: number } & Written)[]
  dumps: WrittenDump[]
  jobs: number
}

export const unpackArchive: Driver<'archive.unpack'> = {
  async run(c) {
    const { input, actionId } = c
    const noted = await notes.find(kind, `${actionId}`)
    // visitors may have changed the files since: a repeat unpacks nothing again
    if (noted?.about.answer) return JSON.parse(noted.about.answer) as Answer
    const kept = await keptOf(input.importId)
    await inRoom(
      '/home',
      kept.inventory.websites
        .filter((one) => input.sites.some(({ from }) => sameName(one.domain, from)))
        .reduce((all, { bytes }) => all + bytes, 0),
      'the files of the websites',
    )
    const unpackers = await prepared(c, kept)
    for (const [username, sites] of Map.groupBy(input.sites, (site) => site.username)) {
      const come = kept.inventory.websites.filter((one) => sites.some(({ from }) => sameName(one.domain, from)))
      const bytes = come.reduce((all, one) => all + (one.disk ?? one.bytes), 0)
      await inLimit(await siteAccount(username), bytes, 'the files of the websites')
    }
    c.fence()
    const dumps = await pour(c, kept, unpackers)
    const jobs = await writeJobs(c, kept)
    const sites = [...unpackers].map(([from, { unpacker }]) => ({
      websiteId: input.sites.find((site) => site.from === from)?.websiteId ?? 0,
      ...unpacker.written,
    }))
    const answer: Answer = { at: Date.now(), sites, dumps, jobs }
    await notes.keep(kind, `${actionId}`, actionId, { answer: JSON.stringify(answer) })
    const sum = (of: (one: Written) => number) => sites.reduce((all, one) => all + of(one), 0)
    c.say(
      `${sum(({ files }) => files)} files with ${sum(({ bytes }) => bytes)} bytes are in ${sites.length} websites, ${dumps.length} dumps wait`,
    )
    return answer
  },
  async undo({ input, actionId, say, fence }) {
    fence()
    for (const { file } of input.dumps) {
      await rm(`${await spooled(file)}.part`, { force: true })
      await remove(await spooled(file))
    }
    if (input.crontab) await remove(await spooled(input.crontab.spool))
    await notes.drop(kind, `${actionId}`)
    say('dumps and cron jobs of the archive are gone; the files go with their websites')
  },
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find(kind, `${actionId}`)) ? 'no' : input.dumps.length ? 'no' : 'yes'
    return 'no' // a repeat answers from the note, or begins again
  },
}

type Unpackers = Map<string, { unpacker: Unpacker }>

/** Empties the new folders, which have a first page, or what an attempt that was cut off has written. */
async function prepared({ input }: Unpack, kept: Kept): Promise<Unpackers> {
  const made: Unpackers = new Map()
  const programs = new Programs()
  for (const [username, sites] of Map.groupBy(input.sites, (site) => site.username)) {
    const as = await siteAccount(username)
    const folders = sites.map((site) => folderOf(site))
    await forFolders((some) => ['find', ...some, '-xdev', '-mindepth', '1', '-delete'], folders, as)
    const paths = sites.map(({ path }) => path)
    await forFolders((some) => ['mkdir', '--parents', '--mode=0755', '--', ...some], paths, as)
    for (const site of sites) {
      const target = { folder: folderOf(site), as, base: as.home, ...siteTarget(kept, site.from) }
      made.set(site.from, { unpacker: new Unpacker(target, programs) })
    }
  }
  return made
}

/** How the files of a website are written. The kept layout has the names of the archive, `ascii` is in punycode. */
export function siteTarget(kept: Kept, ascii: string): Pick<Target, 'roots' | 'edit'> {
  const from = kept.inventory.websites.find((one) => sameName(one.domain, ascii))?.domain
  if (from === undefined) throw new Error(`the archive has no website ${ascii}`)
  return { roots: kept.roots[from] ?? [], ...(kept.wrapping.format === 'cpanel' && { edit: withoutHandler }) }
}

/** Domains by the text of their name: each file of an archive compares all names, and reading a name as a domain takes long. */
const known = new Map<string, string | undefined>()
const MOST_KNOWN = 10_000

/** Whether a name of the archive, perhaps with letters beyond ASCII, is this name. */
export function sameName(found: string, ascii: string): boolean {
  if (!known.has(found)) {
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(found, domain.safeParse(found).data)
  }
  return known.get(found) === ascii
}

/** cPanel names the program of PHP in .htaccess: another server would send the text of the pages. */
const withoutHandler = (_: string, text: string) =>
  text
    .split('\n')
    .map((line) =>
      /^\s*(?:AddHandler|AddType|SetHandler)\s.{0,200}x-httpd-(?:ea|alt)-php/i.test(line) ? `# ${line.trim()}` : line,
    )
    .join('\n')

/** Reads the archive once, from its beginning to its end. */
async function pour(c: Unpack, kept: Kept, unpackers: Unpackers): Promise<Answer['dumps']> {
  const { input, say, stop } = c
  const rules = new Rules(kept.rules)
  const byName = new Map(
    kept.inventory.websites.flatMap(({ domain: name }) => {
      const site = input.sites.find((one) => sameName(name, one.from))
      const found = site && unpackers.get(site.from)
      return found ? [[name, found.unpacker] as const] : []
    }),
  )
  const dumps = new Dumps()
  const handle = await opened(input, kept.seen)
  const turns = new Turns()
  try {
    let read = 0
    const tell = progress(say, (await handle.stat()).size)
    const bytes = bytesOf(handle, (part) => {
      read += part
      tell(read)
    })
    for await (const found of walk(bytes, kept.wrapping, (inner) => !inner.startsWith('mail/'))) {
      if (stop.aborted) throw new Stop('stopped')
      if ('fault' in found) throw new Error(`${found.in} cannot be read: ${found.fault}`)
      const { member, path } = found
      const placed = path === undefined ? undefined : rules.of(path)
      if (placed?.rule.kind === 'dump') {
        const { database } = placed.rule
        const wanted = input.dumps.find((one) => one.database === database)
        if (wanted && member.type === 'file') await dumps.write(wanted, member.body())
        continue
      }
      if (placed?.rule.kind !== 'site') continue
      const unpacker = byName.get(placed.rule.site)
      if (!unpacker) continue
      await turns.to(unpacker)
      await unpacker
        .write(
          member,
          joined(placed.rule.to, placed.within),
          member.type === 'hardlink' ? hardLinkOf(path ?? '', member.target, rules, placed.rule, kept) : undefined,
        )
        .catch((error: unknown) => {
          throw new Stop(`${path}: ${error instanceof Error ? error.message : error}`)
        })
    }
    await turns.end()
    const written = await dumps.end()
    const lacking = input.dumps.find(({ database }) => !written.some((one) => one.database === database))
    if (lacking) throw new Error(`the archive has no dump of ${lacking.database}`)
    return written
  } finally {
    await turns.drop()
    await dumps.drop()
    await handle.close()
  }
}

export const joined = (to: string, within: string) => [to, within].filter(Boolean).join('/')

/** A hard link names its file from the beginning of its archive. */
export function hardLinkOf(
  path: string,
  target: string,
  rules: Rules,
  own: Rule & { kind: 'site' },
  kept: Kept,
): string | undefined {
  const inner = /^(?:web\/[^/]+\/domain_data|homedir|(?:[^/]+\/){0,6}backup_user-data_\d{1,12})\//.exec(path)?.[0] ?? ''
  const { top } = kept.wrapping
  const plain = target.replace(/^\.\//, '')
  const placed = rules.of(
    plain.startsWith(inner) || !inner
      ? plain
      : top && plain.startsWith(top)
        ? plain.slice(top.length)
        : `${inner}${plain}`,
  )
  return placed?.rule.kind === 'site' && placed.rule.site === own.site
    ? joined(placed.rule.to, placed.within)
    : undefined
}

/** The cron jobs with the new folders of the websites, as `crontab.take` reads them. Suspended jobs come as comments. */
async function writeJobs({ input }: Unpack, kept: Kept): Promise<number> {
  if (!input.crontab) return 0
  const moved = input.sites.flatMap((site) => {
    const from = kept.inventory.websites.find((one) => sameName(one.domain, site.from))?.domain
    return (from === undefined ? [] : (kept.roots[from] ?? [])).map((root) => ({
      from: root.from,
      to: joined(folderOf(site), root.to),
    }))
  })
  // the jobs of a suspended account rested there, however its panel has stopped them
  const rests = kept.inventory.account.suspended
  const longest = moved.toSorted((a, b) => b.from.length - a.from.length)
  const lines = kept.inventory.cron.flatMap(({ when, command, suspended }) => {
    if (!isJob(when, command)) return []
    let text = command
    for (const { from, to } of longest) text = text.replaceAll(from, to)
    return `${suspended || rests ? '# suspended: ' : ''}${when} ${text}`
  })
  await writeFile(await spooled(input.crontab.spool), gzipSync(`${lines.join('\n')}\n`), { mode: 0o600, flush: true })
  return lines.filter((line) => !line.startsWith('#')).length
}

/** crontab reads these; anything else would make it refuse the whole table. */
const isJob = (when: string, command: string) =>
  /^(?:@(?:reboot|yearly|annually|monthly|weekly|daily|midnight|hourly)|[\d*/,A-Za-z-]{1,100}(?: [\d*/,A-Za-z-]{1,100}){4})$/.test(
    when,
  ) && !/\p{Cc}/u.test(command)
