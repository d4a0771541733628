import { lstat, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context, Driver } from '../../kit/driver.ts'
import { absent, exchange, inside, must, openFolder } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { copyTree, type Entry, inBytes, leftOut, listTree, ownerOf, shown, within } from '../files/tree.ts'
import { carryOver, mergedFiles, writtenSince } from './carryOver.ts'
import { asideOf, listings, type MergeNote, mergeNotes } from './mergeNote.ts'
import type { Swap } from './swaps.ts'

type SwapMerge = Context<'merge.swap'>
type Input = SwapMerge['input']

/**
 * Exchanges the prepared files with those of the website, each path in one step. The website is closed meanwhile. First
 * carries over what visitors changed since people looked, or stops before anything changes.
 */
export const swapMerge: Driver<'merge.swap'> = {
  async run(c) {
    const { input, say, fence } = c
    const note = await prepared(input)
    const account = await ownerOf(input)
    if (!note.begun) {
      await carry(c, note, account)
      for (const swap of note.swaps) {
        const inode = swap.comes ? await inodeOf(from(input, swap)) : undefined
        if (swap.comes && inode === undefined)
          throw new Error(`${from(input, swap)} is missing: roll back and merge again`)
        if (inode !== undefined) swap.inode = inode
      }
      fence()
      await mergeNotes.keep(input, { ...note, begun: true })
    }
    for (const swap of note.swaps) {
      fence()
      await change(input, swap, account)
      say(`${nameOf(input, swap)} ${swap.comes ? 'has changed places' : 'is removed'}`)
    }
    return { merged: true }
  },
  async undo({ input, say, fence }) {
    const note = await mergeNotes.find(input)
    if (!note?.begun) return say(`${input.path} was not touched`)
    await carryBack({ input, say }, note)
    for (const swap of note.swaps.toReversed()) {
      fence()
      await changeBack(input, swap)
    }
    say(`${input.path} is what it was before`)
  },
  async inspect({ input, task }) {
    const note = await mergeNotes.find(input)
    if (!note?.begun) return task === 'undo' ? 'yes' : 'no'
    for (const swap of note.swaps) if ((await isChanged(input, swap)) !== (task === 'run')) return 'no'
    return 'yes'
  },
}

async function prepared(input: Input): Promise<MergeNote> {
  const note = await mergeNotes.find(input)
  if (!note) throw new Error(`no files are prepared for ${input.path}: roll back and merge again`)
  return note
}

async function carry({ input, say }: SwapMerge, note: MergeNote, account: Account): Promise<void> {
  if (input.back) return carrySince({ input, say }, note, account)
  const lists = await listings.find(input)
  if (!lists) return
  const chosen = within(input.paths)
  const now = (await listTree(input, account)).filter((one) => leftOut(one) === undefined && chosen(one))
  const { take, drop, clash } = carryOver(lists.seen, now, lists.coming)
  if (clash.length) {
    const names = clash.slice(0, 5).map(({ path }) => shown(path))
    throw new Error(
      `${clash.length} ${clash.length === 1 ? 'file' : 'files'} changed on the website since somebody looked, and the copy has others: ${names.join(', ')}. Nothing was changed`,
    )
  }
  const aside = { username: input.username, path: asideOf(input.path, input) }
  await copyTree(input, account, aside, account, take)
  for (const one of drop) await must(['rm', '-f', '--', `${aside.path}/${nameIn(one)}`], { as: account })
  for (const one of take.filter(({ type }) => type !== 'd')) say(`${shown(one.path)} came meanwhile and comes along`)
  await listings.keep(input, { ...lists, swapped: now })
  if (note.swaps.length === 0) throw new Error('no path is to be merged')
}

/** A revert brings what visitors have written into the merged folders since. */
async function carrySince(to: Pick<SwapMerge, 'input' | 'say'>, { swaps }: MergeNote, account: Account): Promise<void> {
  const lists = await listings.find({ merge: to.input.merge })
  if (!lists?.merged) return to.say('an older agent has merged: what visitors have written since goes into the trash')
  const places = swaps.filter(({ comes }) => comes).map(({ path }) => inBytes(path))
  const isIn = ({ path }: Entry) => places.some((one) => !one || path === one || path.startsWith(`${one}/`))
  await bringAlong(to, account, lists.merged.filter(isIn), isIn)
}

/** Copies what visitors have written since the merge, but for a file that the merge changed too: it goes into the trash. */
async function bringAlong(
  { input, say }: Pick<SwapMerge, 'input' | 'say'>,
  account: Account,
  merged: readonly Entry[],
  isIn: (one: Entry) => boolean,
): Promise<void> {
  const aside = { username: input.username, path: asideOf(input.path, input) }
  const now = (await listTree(input, account)).filter((one) => leftOut(one) === undefined && isIn(one))
  const { written, free } = writtenSince(merged, now, await listTree(aside, account))
  await copyTree(input, account, aside, account, [...free])
  for (const one of written)
    say(
      `${shown(one.path)} was written after the merge: ${free.has(one) ? 'comes along' : 'goes into the trash, the merge had changed it'}`,
    )
}

/** The undo of a merge after which the website was open again. */
async function carryBack({ input, say }: Pick<SwapMerge, 'input' | 'say'>, { swaps }: MergeNote): Promise<void> {
  const lists = await listings.find(input)
  const merged = lists?.swapped ? mergedFiles(lists.seen, lists.swapped, lists.coming) : lists?.merged
  if (!merged) return
  // an undo that was interrupted has carried everything back before the first exchange
  for (const swap of swaps) if (!(await isChanged(input, swap))) return
  await bringAlong({ input, say }, await ownerOf(input), merged, within(input.paths))
}

/** File names are bytes; `rm` gets them through argv, which Node writes as UTF-8. */
const nameIn = ({ path }: Entry) => Buffer.from(path, 'latin1').toString('utf8')

const at = (input: Input, { path }: Swap) => (path ? `${input.path}/${path}` : input.path)
export const from = (input: Input, { path }: Swap): string =>
  path ? `${asideOf(input.path, input)}/${path}` : asideOf(input.path, input)
const nameOf = (input: Input, { path }: Swap) => (path ? shown(inBytes(path)) : input.path)

async function isChanged(input: Input, swap: Swap): Promise<boolean> {
  const inode = await inodeOf(at(input, swap))
  return swap.comes ? inode === swap.inode : inode === undefined
}

async function change(input: Input, swap: Swap, account: Account): Promise<void> {
  if (await isChanged(input, swap)) return
  const [here, aside] = [at(input, swap), from(input, swap)]
  if (!swap.comes) await must(['mkdir', '-p', '--', dirname(aside)], { as: account })
  await between(here, aside, async (there, beside) => {
    const isThere = await lstat(there).catch(absent)
    if (!swap.comes) await rename(there, beside)
    else if (isThere) await exchange(there, beside)
    else await rename(beside, there)
  })
}

async function changeBack(input: Input, swap: Swap): Promise<void> {
  if (!(await isChanged(input, swap))) return
  await between(at(input, swap), from(input, swap), async (there, beside) => {
    const isBeside = await lstat(beside).catch(absent)
    if (!swap.comes) {
      if (isBeside) await rename(beside, there)
    } else if (isBeside) await exchange(there, beside)
    else await rename(there, beside)
  })
}

/** Opens both parent folders without following symlinks: the account may replace a folder at any moment. */
async function between(a: string, b: string, work: (a: string, b: string) => Promise<void>): Promise<void> {
  const [first, second] = [await openFolder(dirname(a)), await openFolder(dirname(b))]
  try {
    if (!first || !second) throw new Error(`${first ? dirname(b) : dirname(a)} is gone`)
    await work(inside(first, a), inside(second, b))
  } finally {
    await first?.close()
    await second?.close()
  }
}

export async function inodeOf(path: string): Promise<number | undefined> {
  const parent = await openFolder(dirname(path))
  try {
    return parent && (await lstat(inside(parent, path)).catch(absent))?.ino
  } finally {
    await parent?.close()
  }
}
