import { PassThrough, Readable, Writable } from 'node:stream'
import { flow } from '../../kit/host.ts'
import { type Account, type SiteAccount, siteAccount } from '../accounts/systemAccounts.ts'

export interface Place {
  username: string
  path: string
}
/**
 * An entry below a folder. `path` and `target` have one character per byte (latin1), because file names need not be
 * UTF-8. `time` is the modification time as find prints it, in nanoseconds.
 */
export interface Entry {
  path: string
  type: string
  size: number
  time: string
  target: string
}

/** The account of a folder in its home. Throws for a folder elsewhere. */
export async function ownerOf({ username, path }: Place): Promise<SiteAccount> {
  if (!path.startsWith(`/home/${username}/`)) throw new Error(`${path} is not below the home of ${username}`)
  return siteAccount(username)
}

/** All entries below a folder, as its account sees them. Follows no symlinks. */
export async function listTree({ path }: Place, as: Account): Promise<Entry[]> {
  const parts: Buffer[] = []
  const keep = new Writable({
    write(part: Buffer, _, done) {
      parts.push(part)
      done()
    },
  })
  const form = '%y\\0%s\\0%T@\\0%P\\0%l\\0'
  // 1: a folder disappeared during the walk or is unreadable; callers that need all entries verify that
  await flow(['find', path, '-xdev', '-mindepth', '1', '-printf', form], {
    to: [keep],
    as,
    accept: [1],
  })
  const words = Buffer.concat(parts).toString('latin1').split('\0')
  const entries: Entry[] = []
  for (let i = 0; i + 5 <= words.length - 1; i += 5) {
    const [type = '', size, time = '', name = '', target = ''] = words.slice(i, i + 5)
    entries.push({ path: name, type, size: Number(size), time, target })
  }
  return entries
}

/** Why an entry is not copied; undefined if it is. */
export function leftOut({ path, type, target }: Entry): string | undefined {
  if (type === 'l') return leadsOut(path, target) ? `leads out of the website, to ${shown(target)}` : undefined
  return type === 'f' || type === 'd' ? undefined : 'is neither a file nor a folder'
}

function leadsOut(path: string, target: string): boolean {
  if (target.startsWith('/')) return true
  const way = path.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..' && !way.length) return true
    if (part === '..') way.pop()
    else if (part !== '' && part !== '.') way.push(part)
  }
  return false
}

/** Copies entries between folders, each side as its own account. Keeps modes, times and links. */
export async function copyTree(from: Place, reader: Account, to: Place, writer: Account, entries: Entry[]) {
  if (!entries.length) return // tar refuses to create an empty archive
  const names = Readable.from(entries.map(({ path }) => Buffer.from(`${path}\0`, 'latin1')))
  const between = new PassThrough()
  const taking = ['--create', '--no-recursion', '--null', '--verbatim-files-from', '--files-from=-', '--format=posix']
  // Zeros end an archive. --ignore-zeros makes this tar read to the end of the pipe, or the other tar would fail to
  // write its last zeros.
  const giving = [
    '--extract',
    '--no-same-owner',
    '--preserve-permissions',
    '--delay-directory-restore',
    '--ignore-zeros',
  ]
  const ended = await Promise.allSettled([
    // 1: a file changed while tar read it, which is normal on a live website. --directory comes before the names,
    // because tar resolves them against its current folder.
    flow(['tar', `--directory=${from.path}`, ...taking, '--ignore-failed-read', '--file=-'], {
      ...{ from: [names], to: [between], as: reader, accept: [1] },
    }),
    flow(['tar', ...giving, `--directory=${to.path}`, '--file=-'], { from: [between], as: writer }),
  ])
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

export interface Differences {
  added: Entry[]
  changed: Entry[]
  gone: Entry[]
}

/**
 * The differences of two trees by size and modification time, or by link target. A folder counts only by its existence.
 */
export function compareTrees(before: readonly Entry[], now: readonly Entry[]): Differences {
  const known = new Map(before.map((one) => [one.path, one]))
  const there = new Set(now.map(({ path }) => path))
  const added: Entry[] = []
  const changed: Entry[] = []
  for (const one of now) {
    const was = known.get(one.path)
    if (!was) added.push(one)
    else if (!sameEntry(was, one)) changed.push(one)
  }
  return { added, changed, gone: before.filter(({ path }) => !there.has(path)) }
}

export const sameEntry = (a: Entry, b: Entry): boolean =>
  a.type === b.type &&
  (a.type !== 'f' || (a.size === b.size && a.time === b.time)) &&
  (a.type !== 'l' || a.target === b.target)

/**
 * A filter for entries at or below some paths; everything without paths. The paths are UTF-8, those of entries one
 * character per byte.
 */
export function within(paths: readonly string[] | undefined): (entry: Pick<Entry, 'path'>) => boolean {
  if (!paths) return () => true
  const named = new Set(paths.map(inBytes))
  return ({ path }) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (named.has(path.slice(0, end))) return true
    return false
  }
}
/** A UTF-8 path with one character per byte, as in entries. */
export const inBytes = (path: string): string => Buffer.from(path, 'utf8').toString('latin1')

/** A file name for display: invalid UTF-8 becomes escaped bytes. */
export const shown = (name: string): string => {
  const bytes = Buffer.from(name, 'latin1')
  const text = bytes.toString('utf8')
  const whole = Buffer.from(text, 'utf8').equals(bytes) ? text : name
  return whole.replace(/[\p{Cc}\p{Zl}\p{Zp}]|[\x80-\xff]/gu, (c) =>
    whole === text && !/\p{Cc}/u.test(c) ? c : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
