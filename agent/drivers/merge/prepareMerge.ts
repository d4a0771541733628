import { dirname } from 'node:path'
import type { Context, Driver } from '../../kit/driver.ts'
import { must, throwAway } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { isConfig } from '../applications/knownConfigs.ts'
import { digestOf } from '../files/documentRootChanges.ts'
import { kept } from '../files/restored.ts'
import { copyTree, type Entry, inBytes, leftOut, listTree, ownerOf, type Place, shown, within } from '../files/tree.ts'
import { asideOf, listings, mergeNotes } from './mergeNote.ts'
import { seenStates } from './seen.ts'
import { swapsOf } from './swaps.ts'

type Prepare = Context<'merge.prepare'>

/**
 * Prepares the files of a staging copy beside the folder of the website, which visitors use meanwhile. Known configuration files
 * with name and password of a database stay those of the website.
 */
export const prepareMerge: Driver<'merge.prepare'> = {
  async run(c) {
    const { input, actionId, say, fence } = c
    const { paths, copy } = input
    const [reader, account] = [await ownerOf(input.from), await ownerOf(input)]
    const [chosen, named] = [within(paths), new Set(paths?.map(inBytes))]
    const all = await listTree(input, account)
    const live = all.filter((one) => leftOut(one) === undefined && chosen(one))
    const seen = await seenBefore(c, live)
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
    const fitting = own.filter(({ path }) => folders.has(dirname(path)) || (!paths && !path.includes('/')))
    const aside: Place = { username: input.username, path: asideOf(input.path, input) }
    fence()
    await clear(aside.path, account)
    try {
      await must(['mkdir', `--mode=${paths ? '0700' : '0755'}`, '--', aside.path], { as: account })
      await copyTree(input.from, reader, aside, account, coming)
      await copyTree(input, account, aside, account, fitting)
      await must(['sync', '--file-system', '--', aside.path], { as: account })
    } catch (error) {
      // a partial copy would fill an account at its disk limit, and its website could not write any more
      fence()
      await clear(aside.path, account)
      throw error
    }
    for (const { path } of fitting) say(`${shown(path)} stays the website's own`)
    await listings.keep(input, { seen, coming: [...coming, ...fitting] })
    await mergeNotes.keep(input, { by: actionId, swaps, begun: false })
    await seenStates.drop(copy)
    const files = coming.filter(({ type }) => type === 'f').length
    say(`${files} files of the copy are ready beside ${input.path}`)
    return { files }
  },
  async undo({ input, actionId, say, fence }) {
    const [note, aside] = [await mergeNotes.find(input), asideOf(input.path, input)]
    fence()
    // after a swap and its undo, the folder may hold files that visitors uploaded in between
    if (note?.begun) await throwAway(actionId, aside, 'unmerged', kept(input))
    else await clear(aside, await ownerOf(input))
    await mergeNotes.drop(input)
    await listings.drop(input)
    say(`${aside} is gone`)
  },
  inspect: async ({ task, input }) => (task === 'undo' && !(await mergeNotes.find(input)) ? 'yes' : 'no'),
}

/** The state that people confirmed. Visitors may have written since: the swap carries that over. */
async function seenBefore({ input: { copy, seen } }: Prepare, live: Entry[]): Promise<Entry[]> {
  if (digestOf(live) === seen) return live
  const found = await seenStates.find(copy, seen)
  if (!found) throw new Error('the website has changed since somebody looked: look again. Nothing was changed')
  return found
}

const clear = (path: string, as: Account) => must(['rm', '-rf', '--one-file-system', '--', path], { as })
