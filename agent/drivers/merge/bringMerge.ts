import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Context, Driver } from '../../kit/driver.ts'
import { bringBack, must, spooled, type Thrown, throwAway, thrown } from '../../kit/host.ts'
import { kept } from '../files/restored.ts'
import { ownerOf } from '../files/tree.ts'
import { asideOf, labelOf, mergeNotes } from './mergeNote.ts'
import { inodeOf } from './swapMerge.ts'
import type { Swap } from './swaps.ts'

type Bring = Context<'merge.bring'>

/**
 * Prepares a revert: checks that this server still has everything from before the merge, and moves the files from the
 * trash to a folder beside the website. Visitors see no change yet.
 */
export const bringMerge: Driver<'merge.bring'> = {
  async run(c) {
    const { input, actionId, say, fence } = c
    for (const file of input.files)
      if (!existsSync(await spooled(file)))
        throw new Error(`${file} is not on this server any more. Nothing was changed`)
    if (!input.taken) return { files: false }
    const which = { merge: input.merge, back: true }
    const note = await mergeNotes.find({ merge: input.merge })
    if (!note) throw new Error(`this server does not know merge ${input.merge}. Nothing was changed`)
    const account = await ownerOf(input)
    const by = (await mergeNotes.find(which))?.from ?? (await origin(input.taken, note.swaps))
    const swaps = note.swaps.map(({ path, was, comes }): Swap => ({ path, was: comes, comes: was }))
    for (const [i, swap] of swaps.entries()) {
      const [there, aside] = [await trashed(by, i), fromOf(c, swap)]
      if (swap.comes && !there && (await inodeOf(aside)) === undefined)
        throw new Error(
          `the former content of ${swap.path || input.path} is no longer in the trash. Nothing was changed`,
        )
    }
    fence()
    await mergeNotes.keep(which, { by: actionId, swaps, begun: false, from: by })
    if (!swaps.some(({ path }) => !path))
      await must(['mkdir', '-p', '--mode=0700', '--', asideOf(input.path, which)], { as: account })
    for (const [i, swap] of swaps.entries()) {
      const there = swap.comes ? await trashed(by, i) : undefined
      if (!there) continue
      if (swap.path) await must(['mkdir', '-p', '--', dirname(fromOf(c, swap))], { as: account })
      fence()
      await bringBack({ ...there, from: fromOf(c, swap) })
    }
    say(`the former files of ${input.path} are ready beside it`)
    return { files: true }
  },
  async undo(c) {
    const { input, say, fence } = c
    const which = { merge: input.merge, back: true }
    const note = await mergeNotes.find(which)
    if (note?.from === undefined) return say('nothing was moved out of the trash')
    for (const [i, swap] of note.swaps.entries()) {
      fence()
      if (swap.comes) await throwAway(note.from, fromOf(c, swap), labelOf({ merge: input.merge }, i), kept(input))
    }
    await must(['rm', '-rf', '--one-file-system', '--', asideOf(input.path, which)], { as: await ownerOf(input) })
    await mergeNotes.drop(which)
    say('the files are in the trash again')
  },
  inspect: async ({ task, input }) =>
    task === 'undo' && !(await mergeNotes.find({ merge: input.merge, back: true })) ? 'yes' : 'no',
}

const trashed = (by: number, i: number): Promise<Thrown | undefined> => thrown(by, labelOf({ merge: 0 }, i))
const fromOf = ({ input }: Bring, { path }: Swap) => {
  const aside = asideOf(input.path, { merge: input.merge, back: true })
  return path ? `${aside}/${path}` : aside
}

/** The action whose trash entries are still there; the newest if the merge replaced nothing. */
async function origin(taken: readonly number[], swaps: readonly Swap[]): Promise<number> {
  for (const id of taken) for (const i of swaps.keys()) if (await trashed(id, i)) return id
  return taken[0] ?? 0
}
