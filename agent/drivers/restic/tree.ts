import { Writable } from 'node:stream'
import type { Driver } from '../../kit/driver.ts'
import { ask, bucketOf, type Local, listOf, local, type Message, must, numberIn, type Reached, whyOf } from './ask.ts'
import { treesOf } from './snapshotTree.ts'

const types: Record<string, 'file' | 'dir' | 'symlink'> = { file: 'file', dir: 'dir', symlink: 'symlink' }
const MOST = 5001
const MOST_FOUND = 501
/** Bytes of entries in one answer: the output of an operation has 256 KiB. */
const ROOM = 200_000
const read = { undo: async () => undefined, inspect: async () => 'no' as const }

/** The folders of snapshots in a repository here, read directly; undefined for a bucket or if they cannot be read so. */
const direct = async (repository: Local) =>
  bucketOf(repository) ? undefined : await treesOf(repository).catch(() => undefined)

/**
 * The entries of one folder of a snapshot, and the entry of the path itself. `next`: where the next answer continues,
 * absent in the last one.
 */
export const listSnapshot: Driver<'backup-tree.list'> = {
  async run({ input: { snapshot, path: wanted, from = 0, ...repository } }) {
    const path = wanted.length > 1 ? wanted.replace(/\/$/, '') : '/'
    const name = JSON.stringify([repository.account, repository.password, snapshot, path])
    const { within, self } = from && last?.name === name ? last : await folderOf(repository, snapshot, path)
    let room = ROOM
    const items: Entry[] = []
    for (const entry of within.slice(from)) {
      room -= Buffer.byteLength(JSON.stringify(entry)) + 1
      if (room < 0 && items.length) break
      items.push(entry)
    }
    const next = from + items.length
    last = next < within.length ? { name, within, self } : undefined
    return { items, self, ...(last && { next }) }
  },
  ...read,
}

/** The folder of the last answer that has a continuation. */
let last: { name: string; within: Entry[]; self: Entry | null } | undefined

async function folderOf(repository: Local, snapshot: string, path: string) {
  const known = await (await direct(repository))?.list(snapshot, path, MOST).catch(() => undefined)
  const { within, self } = known ?? (await listed(repository, snapshot, path))
  return { within: within.slice(0, MOST).map(entryOf), self: self ? entryOf(self) : null }
}

async function listed(repository: Local, snapshot: string, path: string) {
  const words = ['ls', '--json', '--no-lock', snapshot, path]
  const { messages } = await must(await local(repository), words)
  const nodes = messages.filter((one) => one.message_type === 'node')
  return { within: nodes.filter((one) => parentOf(one) === path), self: nodes.find((one) => one.path === path) }
}

/** Finds entries by a part of their name. Ends with the last entry for which the answer has room. */
export const findInSnapshot: Driver<'backup-tree.find'> = {
  async run({ input: { snapshot, text, ...repository } }) {
    let found: Entry[] = []
    let room = ROOM
    const take = (node: Message) => {
      const entry = entryOf(node)
      room -= Buffer.byteLength(JSON.stringify(entry)) + 1
      if (room >= 0) found.push(entry)
      return room >= 0 && found.length < MOST_FOUND
    }
    const trees = await direct(repository)
    const done = await trees?.find(snapshot, text, take).then(
      () => true,
      () => false,
    )
    if (!done) {
      found = []
      room = ROOM
      const wanted = text.toLowerCase()
      await eachNode(
        await local(repository),
        snapshot,
        (node) => !String(node.name).toLowerCase().includes(wanted) || take(node),
      )
    }
    return { items: found, more: room < 0 }
  },
  ...read,
}

/** One file in several snapshots. */
export const versionsInSnapshots: Driver<'backup-tree.versions'> = {
  async run({ input: { snapshots, path, ...repository } }) {
    const trees = await direct(repository)
    const known = trees && (await versions(trees, snapshots, path).catch(() => undefined))
    if (known) return { items: known }
    // restic reads the path as a pattern
    const chosen = snapshots.flatMap((one) => ['--snapshot', one])
    const words = ['find', '--json', '--no-lock', ...chosen, path.replace(/[\\*?[\]]/g, '\\$&')]
    const said = await must(await local(repository), words)
    const items = listOf(said).flatMap(({ snapshot, matches }) => {
      const node = (Array.isArray(matches) ? (matches as Message[]) : []).find((one) => one.path === path)
      return node ? [{ snapshot: String(snapshot), ...stateOf(node) }] : []
    })
    return { items }
  },
  ...read,
}

async function versions(trees: Awaited<ReturnType<typeof treesOf>>, snapshots: readonly string[], path: string) {
  const items: (ReturnType<typeof stateOf> & { snapshot: string })[] = []
  for (const snapshot of snapshots) {
    const node = await trees.entry(snapshot, path).catch(gone)
    if (node) items.push({ snapshot, ...stateOf(node) })
  }
  return items
}

/** A snapshot that was forgotten meanwhile has no version of a file. */
const gone = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}

class Enough extends Error {}

/** Calls `take` for each entry of a snapshot until it answers false. Keeps one line in memory. */
async function eachNode(reached: Reached, snapshot: string, take: (node: Message) => boolean): Promise<void> {
  let rest = ''
  const to = new Writable({
    decodeStrings: false,
    write(part: Buffer | string, _, done) {
      const lines = (rest + String(part)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('{')) continue
        const node = JSON.parse(line) as Message
        if (node.message_type === 'node' && !take(node)) return done(new Enough())
      }
      done()
    },
  })
  try {
    const said = await ask(reached, ['ls', '--json', '--no-lock', snapshot], { to })
    if (said.code !== 0) throw new Error(whyOf(said))
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
}

function parentOf({ path }: Message): string {
  const text = String(path)
  return text.slice(0, text.lastIndexOf('/')) || '/'
}

type Entry = ReturnType<typeof entryOf>
const entryOf = (node: Message) => ({
  name: String(node.name),
  path: String(node.path),
  type: types[String(node.type)] ?? ('other' as const),
  size: numberIn(node, 'size'),
  mode: numberIn(node, 'mode') & 0o7777,
  uid: numberIn(node, 'uid'),
  gid: numberIn(node, 'gid'),
  modifiedAt: new Date(String(node.mtime)).toISOString(),
})

/** The values that distinguish two versions of a file. Changed content always has a new change time. */
const stateOf = (node: Message) => ({
  size: numberIn(node, 'size'),
  mode: numberIn(node, 'mode') & 0o7777,
  modifiedAt: new Date(String(node.mtime)).toISOString(),
  changedAt: new Date(String(node.ctime)).toISOString(),
})
