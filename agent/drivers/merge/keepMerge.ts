import { dirname } from 'node:path'
import type { Context, Driver } from '../../kit/driver.ts'
import { bringBack, must, throwAway, thrown } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { kept } from '../files/restored.ts'
import { copyTree, leftOut, listTree, ownerOf, shown, within } from '../files/tree.ts'
import { mergedFiles, writtenSince } from './carryOver.ts'
import { asideOf, labelOf, listings, mergeNotes } from './mergeNote.ts'
import { from, inodeOf } from './swapMerge.ts'

type Keep = Context<'merge.keep'>

/**
 * Moves the former files of the website into the trash, from which a revert restores them. Runs when the website is
 * open again, because the trash may be on another file system.
 */
export const keepMerge: Driver<'merge.keep'> = {
  async run(c) {
    const { input, actionId, say, fence } = c
    const [note, account] = [await mergeNotes.find(input), await ownerOf(input)]
    if (!note?.begun) throw new Error(`the files of ${input.path} have not changed places`)
    await carryLate(c, account)
    for (const [i, swap] of note.swaps.entries()) {
      fence()
      if (swap.was && (await inodeOf(from(input, swap))) !== undefined)
        await throwAway(actionId, from(input, swap), labelOf(input, i), kept(input))
    }
    await must(['rm', '-rf', '--one-file-system', '--', asideOf(input.path, input)], {
      ...{ as: account },
    })
    await noteMerged(input)
    say(`the former files of ${input.path} are in the trash`)
    return { kept: true }
  },
  async undo({ input, actionId, fence, say }) {
    const [note, account] = [await mergeNotes.find(input), await ownerOf(input)]
    for (const [i, swap] of (note?.swaps ?? []).entries()) {
      const there = await thrown(actionId, labelOf(input, i))
      if (!there) continue
      fence()
      if (swap.path) await must(['mkdir', '-p', '--', dirname(from(input, swap))], { as: account })
      await bringBack({ ...there, from: from(input, swap) })
    }
    say(`the former files of ${input.path} are out of the trash`)
  },
  async inspect({ input, actionId, task }) {
    if (task === 'run') return (await inodeOf(asideOf(input.path, input))) === undefined ? 'yes' : 'no'
    for (const [i] of ((await mergeNotes.find(input))?.swaps ?? []).entries())
      if (await thrown(actionId, labelOf(input, i))) return 'no'
    return 'yes'
  },
}

/** What the website had right after the merge shows a revert what visitors have written since. */
async function noteMerged(input: Keep['input']): Promise<void> {
  if (input.back) return listings.drop({ merge: input.merge })
  const lists = await listings.find(input)
  if (!lists?.swapped) return // this action is repeated
  await listings.keep(input, { seen: [], coming: [], merged: mergedFiles(lists.seen, lists.swapped, lists.coming) })
  if (input.keepDays) await listings.clear(input.keepDays)
}

/** A request, job or session that outlived the closing may have written into the former files after the swap. */
async function carryLate({ input, say }: Keep, account: Account): Promise<void> {
  const lists = await listings.find(input)
  const aside = { username: input.username, path: asideOf(input.path, input) }
  if (!lists?.swapped || (await inodeOf(aside.path)) === undefined) return
  const chosen = within(input.paths)
  const former = (await listTree(aside, account)).filter((one) => leftOut(one) === undefined && chosen(one))
  const { written, free } = writtenSince(lists.swapped, former, await listTree(input, account))
  await copyTree(aside, account, input, account, [...free])
  for (const one of written)
    say(
      `${shown(one.path)} was written late: ${free.has(one) ? 'comes along' : 'stays in the trash, the copy has another'}`,
    )
}
