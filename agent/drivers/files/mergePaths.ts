import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../../kit/driver.ts'
import { absent, bringBack, inside, must, notes, openFolder, throwAway, thrown } from '../../kit/host.ts'
import { isConfig } from '../applications/knownConfigs.ts'
import { kept } from './restored.ts'
import { copyTree, type Entry, inBytes, leftOut, listTree, ownerOf, shown, within } from './tree.ts'

type Merge = Context<'document-root.merge'>
type Account = Awaited<ReturnType<typeof ownerOf>>
/** A path that the merge swaps: whether it existed before, and whether it exists afterwards. */
interface Swap {
  path: string
  was: boolean
  comes: boolean
}
const KIND = 'merged-paths'

/**
 * Swaps chosen files and folders of a copy into the website, one after the other, and touches nothing else, so that
 * files written meanwhile stay. All new files are prepared beside the website first. A note lists the swaps before the
 * first one, so that a retry or an undo after a crash knows them.
 */
export const mergePaths = {
  async run(c: Merge, paths: readonly string[]): Promise<{ merged: true }> {
    const account = await ownerOf(c.input)
    const swaps = (await noted(c.actionId)) ?? (await prepare(c, account, paths))
    for (const [i, swap] of swaps.entries()) await change(c, account, swap, i)
    await drop(c, account)
    return { merged: true }
  },

  async undo(c: Merge): Promise<void> {
    const account = await ownerOf(c.input)
    for (const [i, swap] of [...((await noted(c.actionId)) ?? []).entries()].reverse()) {
      const at = `${c.input.path}/${swap.path}`
      const there = await thrown(c.actionId, before(i))
      // a path that is not swapped yet is still aside
      const isTaken = there !== undefined || (!swap.was && !(await isThere(`${asideOf(c)}/${swap.path}`)))
      if (!isTaken) continue
      c.fence()
      await throwAway(c.actionId, at, merged(i), kept(c.input))
      if (there) await bringBack(there)
      c.say(`${shown(inBytes(swap.path))} has its former content`)
    }
    await drop(c, account)
  },

  /** Swaps the paths again that `undo` swapped back. */
  async again(c: Merge): Promise<void> {
    for (const [i, { path }] of ((await noted(c.actionId)) ?? []).entries()) {
      const taken = await thrown(c.actionId, merged(i))
      if (!(await thrown(c.actionId, before(i))))
        await throwAway(c.actionId, `${c.input.path}/${path}`, before(i), kept(c.input))
      if (taken) await bringBack(taken)
    }
  },

  /** Whether this action merges chosen paths, even if it was interrupted. */
  isOf: async (actionId: number): Promise<boolean> => (await noted(actionId)) !== undefined,

  /** Whether every replaced path is back in place. */
  async isTakenBack(actionId: number): Promise<boolean> {
    for (const i of ((await noted(actionId)) ?? []).keys()) if (await thrown(actionId, before(i))) return false
    return true
  },

  /** Whether every new path is in place. */
  async stands({ input, actionId }: Pick<Merge, 'input' | 'actionId'>): Promise<boolean> {
    const swaps = await noted(actionId)
    if (!swaps) return false
    for (const [i, { path, was, comes }] of swaps.entries()) {
      if (was && !(await thrown(actionId, before(i)))) return false
      if (comes && !(await isThere(`${input.path}/${path}`))) return false
    }
    return !(await isThere(asideOf({ input, actionId })))
  },
}

/** Prepares all new files beside the website's folder, then writes the note. */
async function prepare(c: Merge, account: Account, paths: readonly string[]): Promise<Swap[]> {
  const { input, actionId, say, fence } = c
  const reader = await ownerOf(input.from)
  const [chosen, named] = [within(paths), new Set(paths.map(inBytes))]
  const all = await listTree(input, account)
  const theirs: Entry[] = []
  for (const one of await listTree(input.from, reader)) {
    const why = leftOut(one)
    if (why === undefined) theirs.push(one)
    else if (named.has(one.path)) throw new Error(`${shown(one.path)} of the copy ${why}`)
  }
  const swaps = swapsOf(paths, all, theirs)
  const own = all.filter((one) => one.type === 'f' && isConfig(one.path) && chosen(one))
  const stays = new Set(own.map(({ path }) => path))
  const coming = theirs.filter((one) => chosen(one) && !stays.has(one.path))
  const folders = new Set(coming.flatMap(({ path, type }) => (type === 'd' ? path : [])))
  const fitting = own.filter(({ path }) => folders.has(dirname(path)))
  const aside = { username: input.username, path: asideOf(c) }
  fence()
  await must(['rm', '-rf', '--one-file-system', '--', aside.path], { as: account, timeoutMs: 3_600_000 })
  await must(['mkdir', '--mode=0700', '--', aside.path], { as: account })
  await copyTree(input.from, reader, aside, account, coming)
  await copyTree(input, account, aside, account, fitting)
  await must(['sync', '--file-system', '--', aside.path], { as: account, timeoutMs: 600_000 })
  for (const { path } of fitting) say(`${shown(path)} stays the website's own`)
  await notes.keep(KIND, `${actionId}`, actionId, { swaps: JSON.stringify(swaps) })
  return swaps
}

/** Swaps the highest folder that the website lacks as a whole, so that each swap is one rename that undo can revert. */
function swapsOf(paths: readonly string[], live: readonly Entry[], copy: readonly Entry[]): Swap[] {
  const [mine, theirs] = [typesOf(live), typesOf(copy)]
  const swaps: Swap[] = []
  for (const path of topmost(paths)) {
    const [was, comes] = [mine.get(inBytes(path)), theirs.get(inBytes(path))]
    if (!was && !comes) throw new Error(`neither the website nor its copy has ${path}`)
    if (isConfig(path) && was === 'f') throw new Error(`${path} names the website's own database: it stays its own`)
    const missing = above(path).find((folder) => mine.get(inBytes(folder)) !== 'd')
    const blocked = missing !== undefined && mine.has(inBytes(missing))
    if (blocked) throw new Error(`${missing} is no folder on the website`)
    swaps.push({ path: missing ?? path, was: was !== undefined, comes: comes !== undefined })
  }
  // several paths may need the same new folder
  return swaps.filter(({ path }, i) => swaps.findIndex((one) => one.path === path) === i)
}

const typesOf = (entries: readonly Entry[]) => new Map(entries.map(({ path, type }) => [path, type]))
/** The parent folders of a path, highest first: `a` and `a/b` for `a/b/c`. */
const above = (path: string) =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join('/'))
const topmost = (paths: readonly string[]) => {
  const all = new Set(paths)
  return [...all].filter((path) => !above(path).some((folder) => all.has(folder)))
}

/** Moves the former path into the trash and the new one into place. Also completes a swap that was killed. */
async function change({ input, actionId, say, fence }: Merge, account: Account, swap: Swap, i: number) {
  const [at, from] = [`${input.path}/${swap.path}`, `${asideOf({ input, actionId })}/${swap.path}`]
  fence()
  const isKept = (await thrown(actionId, before(i))) !== undefined
  if (swap.was && !isKept) await throwAway(actionId, at, before(i), kept(input))
  if (!swap.comes) return say(`${shown(inBytes(swap.path))} is removed`)
  if (!(await isThere(from))) return // already swapped
  // something wrote this path between the two renames
  await throwAway(actionId, at, `meanwhile-${i}`, kept(input))
  await must(['mv', '--no-target-directory', '--', from, at], { as: account })
  say(`${shown(inBytes(swap.path))} comes from the copy`)
}

async function drop(c: Merge, account: Account): Promise<void> {
  await must(['rm', '-rf', '--one-file-system', '--', asideOf(c)], { as: account, timeoutMs: 3_600_000 })
}

async function noted(actionId: number): Promise<Swap[] | undefined> {
  const note = await notes.find(KIND, `${actionId}`)
  return note && (JSON.parse(note.about.swaps ?? '[]') as Swap[]) // the format of `prepare` above
}

const asideOf = ({ input, actionId }: Pick<Merge, 'input' | 'actionId'>) => `${input.path}.merging-${actionId}`
const before = (i: number) => `before-merge-${i}`
const merged = (i: number) => `merged-${i}`

/** Whether a path below a home exists, without following symlinks. */
async function isThere(path: string): Promise<boolean> {
  const parent = await openFolder(dirname(path))
  try {
    return parent !== undefined && (await lstat(inside(parent, path)).catch(absent)) !== undefined
  } finally {
    await parent?.close()
  }
}
