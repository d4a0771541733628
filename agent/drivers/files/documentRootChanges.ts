import { createHash } from 'node:crypto'
import { pathWithin } from '@innkeeper/contract/kit/values'
import type { Driver } from '../../kit/driver.ts'
import { absent, read } from '../../kit/host.ts'
import { isConfig } from '../applications/knownConfigs.ts'
import { seenStates } from '../merge/seen.ts'
import { type Manifest, manifestOf } from './documentRootCopy.ts'
import {
  compareTrees,
  type Differences,
  type Entry,
  inBytes,
  leftOut,
  listTree,
  ownerOf,
  shown,
  within,
} from './tree.ts'

const MOST_CHANGES = 200
const MOST_DIFFERENCES = 2000

/**
 * Lists what changed on a website since it was copied, and what a merge of the copy would change; limited to `paths` if
 * given.
 */
export const documentRootChanges: Driver<'document-root.changes'> = {
  async run({ input }) {
    const { from, paths } = input
    const chosen = within(paths)
    const wanted = (all: Entry[]) => all.filter((one) => leftOut(one) === undefined && chosen(one))
    const now = wanted(await listTree(input, await ownerOf(input)))
    const theirs = from ? wanted(await listTree(from, await ownerOf(from))) : []
    const has = new Set([...now, ...theirs].map(({ path }) => path))
    const digest = digestOf(now)
    if (input.keep) await seenStates.keep(input.copy, digest, now)
    return {
      ...(await sinceCopy(input.copy, now, chosen)),
      digest,
      differences: differencesOf(now, theirs),
      unknown: (paths ?? []).filter((path) => !has.has(inBytes(path))),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // a repeat is harmless
}

async function sinceCopy(copy: number, now: Entry[], chosen: (entry: Entry) => boolean) {
  const kept = await read(manifestOf(copy)).catch(absent)
  if (kept === undefined) return { known: false }
  const { at, entries } = JSON.parse(kept) as Manifest // the manifest that the copy wrote
  const seen = onlyFiles(compareTrees(entries.filter(chosen), now))
  const itemsOf = (what: keyof Differences) =>
    seen[what].slice(0, MOST_CHANGES).map(({ path, size }) => ({ path: shown(path), what, bytes: size }))
  const items = [...itemsOf('changed'), ...itemsOf('added'), ...itemsOf('gone')].slice(0, MOST_CHANGES)
  return { known: true, at, ...counted(seen), items }
}

/** Changes with every file that visitors write. */
export function digestOf(entries: Entry[]): string {
  const hash = createHash('sha256')
  const lines = entries.map(({ path, type, size, time, target }) =>
    // the content of a folder determines its size and time
    type === 'd' ? [path, type] : [path, type, size, time, target],
  )
  for (const line of lines.map((words) => JSON.stringify(words)).sort()) hash.update(`${line}\n`)
  return hash.digest('hex')
}

/** Compares the live website with its copy, without the files that name its database, which a merge keeps. */
function differencesOf(live: Entry[], copy: Entry[]) {
  const free = (all: Entry[]) => all.filter(({ path }) => !isConfig(path))
  const seen = onlyFiles(compareTrees(free(live), free(copy)))
  const sizes = new Map(live.map(({ path, size }) => [path, size]))
  const files = (['changed', 'added', 'gone'] as const).flatMap((what) => seen[what].map((one) => ({ what, ...one })))
  return {
    ...counted(seen),
    files: files
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .slice(0, MOST_DIFFERENCES)
      .map(({ what, path, size }) => ({
        path: shown(path),
        what,
        bytes: what === 'gone' ? 0 : size,
        liveBytes: sizes.get(path) ?? null,
        nameable: isNameable(path),
      })),
  }
}

/** Whether a path is valid UTF-8 on one line. */
const isNameable = (path: string) => pathWithin.safeParse(Buffer.from(path, 'latin1').toString('utf8')).success

function onlyFiles({ added, changed, gone }: Differences): Differences {
  const files = (some: Entry[]) => some.filter(({ type }) => type !== 'd')
  return { added: files(added), changed: files(changed), gone: files(gone) }
}
const counted = ({ added, changed, gone }: Differences) => ({
  added: added.length,
  changed: changed.length,
  gone: gone.length,
})
