import { Writable } from 'node:stream'
import type { Driver } from '../../kit/driver.ts'
import { ask, listOf, local, type Message, must, numberIn, type Reached, whyOf } from './ask.ts'

const types: Record<string, 'file' | 'dir' | 'symlink'> = { file: 'file', dir: 'dir', symlink: 'symlink' }
const MOST = 5001
const MOST_FOUND = 501
const LOOK_MS = 55_000
const read = { undo: async () => undefined, inspect: async () => 'no' as const }

/** The entries of one folder of a snapshot, and the entry of the path itself. */
export const listSnapshot: Driver<'backup-tree.list'> = {
  async run({ input }) {
    const path = input.path.length > 1 ? input.path.replace(/\/$/, '') : '/'
    const reached = await local(input)
    const said = await must(reached, ['ls', '--json', '--no-lock', input.snapshot, path], { timeoutMs: LOOK_MS })
    const within = said.messages.filter((one) => one.message_type === 'node' && parentOf(one) === path)
    const self = said.messages.find((one) => one.message_type === 'node' && one.path === path)
    return { items: within.slice(0, MOST).map(entryOf), self: self ? entryOf(self) : null }
  },
  ...read,
}

/** Finds entries by a part of their name. Streams the listing of a snapshot, and stops after the last wanted entry. */
export const findInSnapshot: Driver<'backup-tree.find'> = {
  async run({ input }) {
    const text = input.text.toLowerCase()
    const found: Message[] = []
    await eachNode(await local(input), input.snapshot, (node) => {
      if (String(node.name).toLowerCase().includes(text)) found.push(node)
      return found.length < MOST_FOUND
    })
    return { items: found.map(entryOf) }
  },
  ...read,
}

/** One file in several snapshots. */
export const versionsInSnapshots: Driver<'backup-tree.versions'> = {
  async run({ input: { snapshots, path, ...repository } }) {
    const chosen = snapshots.flatMap((one) => ['--snapshot', one])
    // restic reads the path as a pattern
    const words = ['find', '--json', '--no-lock', ...chosen, path.replace(/[\\*?[\]]/g, '\\$&')]
    const said = await must(await local(repository), words, { timeoutMs: LOOK_MS })
    const items = listOf(said).flatMap(({ snapshot, matches }) => {
      const node = (Array.isArray(matches) ? (matches as Message[]) : []).find((one) => one.path === path)
      return node ? [{ snapshot: String(snapshot), ...stateOf(node) }] : []
    })
    return { items }
  },
  ...read,
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
    const said = await ask(reached, ['ls', '--json', '--no-lock', snapshot], { to, timeoutMs: LOOK_MS })
    if (said.code !== 0) throw new Error(whyOf(said))
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
}

function parentOf({ path }: Message): string {
  const text = String(path)
  return text.slice(0, text.lastIndexOf('/')) || '/'
}

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
