import { basename, dirname } from 'node:path'
import { must } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { type Entry, listTree } from '../files/tree.ts'
import { boxOf, inTrash, messageIn } from './mailTree.ts'

/** A message with its place in the restored mail and in the mailbox. */
interface Coming {
  path: string
  to: string
  size: number
}
/** The restored mail that a mailbox lacks. */
export interface Bringing {
  messages: Coming[]
  /** Folders that the mailbox does not have. */
  folders: string[]
  /** Other files that it does not have: Sieve scripts, UIDs of new folders. */
  others: string[]
  /** Folders that mail programs show. */
  subscribed: string[]
  /** Number of restored messages that the mailbox already has. */
  present: number
  /** Number of files whose names no mail program creates. */
  left: number
}

export const filesIn = async (path: string, as: Account): Promise<Entry[]> =>
  (await listTree({ username: 'vmail', path }, as)).filter(({ type }) => type === 'f')
export const sizeOf = (all: readonly { size: number }[]) => all.reduce((sum, { size }) => sum + size, 0)

/**
 * The restored mail that a mailbox lacks. No message is added twice: a message counts as present if any folder but the
 * trash has it under the same name or with the same content. An existing folder keeps its UIDs and the names of its
 * keywords.
 */
export async function comingOf(content: string, home: string, as: Account): Promise<Bringing> {
  const all = await listTree({ username: 'vmail', path: content }, as)
  const kept = all.filter(({ path, type }) => (type === 'f' || type === 'l') && isPlain(path))
  const live = await listTree({ username: 'vmail', path: home }, as)
  const paths = new Set(live.map(({ path }) => path))
  const has = live.flatMap((one) => {
    const message = messageIn(one)
    return message && !inTrash(message.folder) ? { ...one, ...message } : []
  })
  const names = new Set(has.map(({ base }) => base))
  const incoming = kept.flatMap((one) => {
    const message = messageIn(one)
    return message ? { ...one, ...message } : []
  })
  // messages of the backup that were and still are in the trash
  const trashed = new Set(
    live.flatMap((one) => {
      const message = messageIn(one)
      return message && inTrash(message.folder) ? `${message.folder}/${message.base}` : []
    }),
  )
  const unknown = incoming.filter(({ base, folder }) => !names.has(base) && !trashed.has(`${folder}/${base}`))
  const same = await twins(unknown, content, has, home, as)
  const isNew = (folder: string) => !paths.has(`${folder}/cur`)
  const keywords = await keywordsThatDiffer(content, home, paths, as)
  const lacking = unknown.filter(({ path }) => !same.has(path))
  const folders = [...new Set(all.flatMap(({ path, type }) => (type === 'd' ? (boxOf(path) ?? []) : [])))].filter(isNew)
  const others = kept.flatMap(({ path, ...one }) => {
    const box = boxOf(path)
    if (messageIn({ path, ...one }) || paths.has(path)) return []
    // an existing folder keeps its present UIDs and keywords
    return box === undefined || isNew(box) || basename(path) === 'subscriptions' ? path : []
  })
  const shown = new Set(folders.map((one) => one.slice('Maildir/.'.length)).filter(Boolean))
  return {
    messages: lacking.map(({ path, size, folder }) => ({
      ...{ path, size },
      to: keywords.has(folder) ? `${dirname(path)}/${basename(path).replace(/:2,.*$/s, withoutKeywords)}` : path,
    })),
    folders,
    others,
    subscribed: paths.has('Maildir/subscriptions') ? await subscribedOf(content, kept, shown, as) : [],
    present: incoming.length - lacking.length,
    left: all.filter(({ path, type }) => type !== 'd' && !isPlain(path)).length,
  }
}

const isPlain = (path: string) => /^[\x20-\x7e]+$/.test(path)
/** Letters in lower case are keywords by their place in a file of the folder. */
const withoutKeywords = (flags: string) => flags.slice(0, 3) + flags.slice(3).replace(/[a-z]/g, '')

interface Sized {
  path: string
  size: number
}
/** Messages whose content the mailbox has under another name: another folder, or another server. */
async function twins(some: readonly Sized[], content: string, has: readonly Sized[], home: string, as: Account) {
  const sizes = new Set(some.map(({ size }) => size))
  const alike = has.filter(({ size, path }) => sizes.has(size) && isPlain(path))
  const there = new Set(alike.map(({ size }) => size))
  const sums = new Set((await sumsOf(home, alike, as)).values())
  const asked = some.filter(({ size }) => there.has(size))
  const own = await sumsOf(content, asked, as)
  return new Set([...own].flatMap(([path, sum]) => (sums.has(sum) ? path : [])))
}

/** The checksum of each file. A message that was renamed meanwhile has no checksum. */
async function sumsOf(folder: string, files: readonly Sized[], as: Account): Promise<Map<string, string>> {
  const sums = new Map<string, string>()
  for (let n = 0; n < files.length; n += 500) {
    const names = files.slice(n, n + 500).map(({ path }) => `${folder}/${path}`)
    await must(['sh', '-c', 'sha256sum -- "$@" || true', 'sh', ...names], {
      ...{ as },
      onLine(line) {
        const [, sum = '', path = ''] = /^([0-9a-f]{64}) {2}(.*)$/.exec(line) ?? []
        if (sum) sums.set(path.slice(folder.length + 1), sum)
      },
    })
  }
  return sums
}

/** Folders in which the letters of keywords have another meaning now. */
async function keywordsThatDiffer(content: string, home: string, paths: ReadonlySet<string>, as: Account) {
  const differ = new Set<string>()
  const all = (await filesIn(content, as)).flatMap(({ path }) => (basename(path) === 'dovecot-keywords' ? path : []))
  for (const path of all) {
    const folder = dirname(path)
    if (!paths.has(`${folder}/cur`)) continue
    const now = paths.has(path) ? await must(['cat', '--', `${home}/${path}`], { as }) : ''
    if (now !== (await must(['cat', '--', `${content}/${path}`], { as }))) differ.add(folder)
  }
  return differ
}

async function subscribedOf(
  content: string,
  kept: Entry[],
  shown: ReadonlySet<string>,
  as: Account,
): Promise<string[]> {
  const path = 'Maildir/subscriptions'
  if (!kept.some((one) => one.path === path)) return []
  const text = await must(['cat', '--', `${content}/${path}`], { as })
  return text.split('\n').filter((line) => shown.has(line) || shown.has(line.replaceAll('\t', '.')))
}
