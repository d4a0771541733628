import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '@innkeeper/lab/host'

/** All facts about a host as texts: files with owner, mode and content, accounts, units, processes. */
export type Facts = Set<string>
export interface Change {
  added: string[]
  gone: string[]
}

/** Excluded paths: files of the agent and the tests, and private files of packages and the system. */
const notOurs = [
  '/opt/',
  '/var/lib/innkeeper/journal.db',
  '/var/lib/innkeeper/written',
  '/var/lib/innkeeper/configs',
  '/var/lib/apt',
  '/var/lib/dpkg/lock',
  '/var/cache',
  '/root/',
  '/var/lib/systemd',
]
/** Paths whose contents change by themselves: only existence, owner and mode count. */
const restless = [
  /^\/var\/log\//,
  /\/trash\/[^/]*\.(access|error)\.log$/,
  /^\/etc\/(passwd|group|shadow|gshadow|subuid|subgid)-?$/,
  /\.lock$/,
  /^\/etc\/nginx\/innkeeper\/generation\.conf$/,
  /^\/var\/lib\/innkeeper\/transfers\/[^/]*$/,
]
/** The agent's folders of notes, one per kind, which stay after their first use. Their contents are checked. */
const folderOfNotes = /^\/var\/lib\/innkeeper\/notes\/[^/]+$/
const accounts = ['passwd', 'group', 'shadow', 'gshadow', 'subuid', 'subgid']

/** `disk`: the upper layer of the host's disk, with all changes to the image. */
export async function factsOf(host: Host, disk: string): Promise<Facts> {
  const facts: Facts = new Set()
  const root = host.root
  const read = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').filter(Boolean)
  const names = new Map(read('/etc/passwd').map((line) => [Number(line.split(':')[2]), line.split(':')[0]]))
  const groups = new Map(read('/etc/group').map((line) => [Number(line.split(':')[2]), line.split(':')[0]]))
  for (const file of accounts)
    for (const line of read(`/etc/${file}`)) facts.add(`/etc/${file}: ${line.replace(/(?<=:)\d{4,}(?=:|$)/g, '#')}`)
  const keep = (path: string, real: string, stat: Stats) => {
    if (folderOfNotes.test(path) && stat.isDirectory()) return
    const who = `${names.get(stat.uid) ?? stat.uid}:${groups.get(stat.gid) ?? stat.gid}`
    const what = restless.some((pattern) => pattern.test(path)) ? '' : contentOf(real, stat)
    facts.add(`${plain(path)} ${(stat.mode & 0o7777).toString(8)} ${who} ${what}`)
  }
  walk(disk, '', keep)
  for (const folder of ['/tmp', '/var/tmp', '/dev/shm', '/run/php', '/run/nologin'])
    walk(`${root}${folder}`, folder, keep)
  for (const line of processesOf(root, names)) facts.add(line)
  const { stdout } = await host.exec(['systemctl', 'list-units', '--plain', '--no-legend', '--full'])
  for (const line of stdout.split('\n').filter(Boolean)) {
    const [unit = '', , active, sub] = line.trim().split(/\s+/)
    if (!/^(run-|init\.scope|innkeeper-agent)|\.(device|mount)$/.test(unit)) facts.add(`unit ${unit} ${active} ${sub}`)
  }
  return facts
}

export const change = (from: Facts, to: Facts): Change => ({
  added: [...to.difference(from)].sort(),
  gone: [...from.difference(to)].sort(),
})

function walk(folder: string, path: string, keep: (path: string, real: string, stat: Stats) => void): void {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return // missing, or deleted just now
  }
  for (const { name } of entries) {
    const [real, inside] = [join(folder, name), `${path}/${name}`]
    if (notOurs.some((start) => `${inside}/`.startsWith(start))) continue
    const stat = lstatSync(real, { throwIfNoEntry: false })
    if (!stat) continue
    keep(inside, real, stat)
    if (stat.isDirectory()) walk(real, inside, keep)
  }
}

/** Replaces numbers that differ each time. */
const plain = (text: string) =>
  text
    .replace(/\/trash\/\d{8}T\d{6}Z-\d+-/, '/trash/#-#-')
    .replace(/systemd-private-[0-9a-f]{32}-(.+)-\w{6}(?=\/|$)/, 'systemd-private-#-$1-#')

function contentOf(file: string, stat: Stats): string {
  if (stat.isDirectory()) return 'folder'
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(file)}`
  if (stat.isCharacterDevice()) return 'gone' // a character device is how overlayfs marks a deleted file of the image
  if (!stat.isFile()) return 'special'
  if (stat.size > 65_536) return `${stat.size} bytes`
  return readFileSync(file, 'utf8')
    .replace(/^ping\.response = \S+$/m, 'ping.response = #')
    .replace(/"by":\d+/, '"by":#')
    .replace(/"(uid|gid)":\d+/g, '"$1":#')
}

/** Processes by the host's pids, without the tested agent and the observers. */
function processesOf(root: string, names: Map<number, string | undefined>): string[] {
  return readdirSync(`${root}/proc`).flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const status = readFileSync(`${root}/proc/${pid}/status`, 'utf8')
      const argv = readFileSync(`${root}/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
      const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])
      if (
        /^State:\s+Z/m.test(status) ||
        /^\/opt\/|^systemctl (list-units|show --timestamp)|^\(|^nginx: (cache loader|worker process is shutting)/.test(
          argv,
        ) ||
        !argv
      )
        return []
      const user = names.get(uid) ?? `${uid}`
      // php-fpm starts and ends workers on demand
      if (argv === `php-fpm: pool ${user}` || argv === 'php-fpm: pool innkeeper-idle') return []
      return [`process ${user} ${argv}`]
    } catch {
      return [] // ended just now
    }
  })
}
