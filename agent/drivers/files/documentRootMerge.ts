import { dirname } from 'node:path'
import type { Context, Driver } from '../../kit/driver.ts'
import { bringBack, must, notes, openFolder, throwAway, thrown } from '../../kit/host.ts'
import { isConfig } from '../applications/knownConfigs.ts'
import { mergePaths } from './mergePaths.ts'
import { kept } from './restored.ts'
import { copyTree, leftOut, listTree, ownerOf, type Place, shown } from './tree.ts'

type Merge = Context<'document-root.merge'>
const WAS = 'before-merge'
const MERGED = 'merged'

/**
 * Builds the new folder beside the old one and swaps the two, so that visitors get either all old or all new files. The
 * files in which known applications name their database stay those of the live website.
 */
export const mergeDocumentRoot: Driver<'document-root.merge'> = {
  async run(c) {
    const { input, actionId, say, fence } = c
    if (input.paths) return mergePaths.run(c, input.paths)
    if (await thrown(actionId, WAS)) return finish(c)
    const [reader, account] = [await ownerOf(input.from), await ownerOf(input)]
    const aside: Place = { username: input.username, path: asideOf(input.path) }
    fence()
    await must(['rm', '-rf', '--one-file-system', '--', aside.path], { as: account, timeoutMs: 3_600_000 })
    await must(['mkdir', '--mode=0755', '--', aside.path], { as: account })
    const theirs = (await listTree(input.from, reader)).filter((one) => leftOut(one) === undefined)
    const own = (await listTree(input, account)).filter(({ path, type }) => type === 'f' && isConfig(path))
    const mine = new Set(own.map(({ path }) => path))
    const folders = theirs.filter(({ type }) => type === 'd').map(({ path }) => path)
    const fitting = own.filter(({ path }) => !path.includes('/') || folders.includes(dirname(path)))
    await copyTree(
      input.from,
      reader,
      aside,
      account,
      theirs.filter(({ path }) => !mine.has(path)),
    )
    await copyTree(input, account, aside, account, fitting)
    await must(['sync', '--file-system', '--', aside.path], { as: account, timeoutMs: 600_000 })
    for (const { path } of fitting) say(`${shown(path)} stays the website's own`)
    fence()
    await throwAway(actionId, input.path, WAS, kept(input))
    return finish(c)
  },
  async undo(c) {
    const { input, actionId, say, fence } = c
    if (await mergePaths.isOf(actionId)) return mergePaths.undo(c)
    const there = await thrown(actionId, WAS)
    if (!there) return say(`${input.path} was not touched`)
    if (there.from !== input.path)
      throw new Error(`the kept folder was ${there.from}, not ${input.path}: rename the website back first`)
    fence()
    await throwAway(actionId, input.path, MERGED, kept(input))
    await bringBack(there)
    say(`${input.path} has its former files`)
  },
  async inspect({ input, task, actionId }) {
    // a repeated undo is harmless
    if (input.paths) return task === 'run' && (await mergePaths.stands({ input, actionId })) ? 'yes' : 'no'
    const was = await thrown(actionId, WAS)
    if (task === 'undo') return was ? 'no' : 'yes'
    return was && (await exists(input.path)) && !(await exists(asideOf(input.path))) ? 'yes' : 'no'
  },
}

/** The last step of a merge. Also completes an attempt that was killed. */
async function finish({ input, say }: Merge) {
  const account = await ownerOf(input)
  if (await exists(asideOf(input.path)))
    await must(['mv', '--no-target-directory', '--', asideOf(input.path), input.path], { as: account })
  if (!(await exists(input.path))) throw new Error(`${input.path} does not exist, and neither does its replacement`)
  say(`${input.path} has the files of the copy; the former folder is in the trash`)
  return { merged: true }
}

/** A revert undoes the merge, under the id of the action that merged. */
export const revertDocumentRoot: Driver<'document-root.revert'> = {
  async run(c) {
    const from = await origin(c.actionId, c.input.taken)
    if (from === undefined)
      throw new Error(`the files of ${c.input.path} from before the merge are no longer in the trash`)
    await notes.keep('reverted', `${c.actionId}`, c.actionId, { from: `${from}` })
    await mergeDocumentRoot.undo({ ...asMerge(c, from), task: 'undo' })
  },
  async undo(c) {
    const note = await notes.find('reverted', `${c.actionId}`)
    if (!note) return c.say('nothing was reverted')
    const from = Number(note.about.from)
    if (await mergePaths.isOf(from)) await mergePaths.again(asMerge(c, from))
    const merged = await thrown(from, MERGED)
    if (merged) {
      c.fence()
      await throwAway(from, c.input.path, WAS, kept(c.input))
      await bringBack(merged)
    }
    await notes.drop('reverted', `${c.actionId}`)
    c.say(`${c.input.path} is merged again`)
  },
  async inspect({ actionId, input, task }) {
    const note = await notes.find('reverted', `${actionId}`)
    if (task === 'undo') return note ? 'no' : 'yes'
    const from = Number(note?.about.from)
    const isBack = !(await thrown(from, WAS)) && (await mergePaths.isTakenBack(from))
    return note && isBack && (await exists(input.path)) ? 'yes' : 'no'
  },
}

async function origin(actionId: number, taken: readonly number[]): Promise<number | undefined> {
  const note = await notes.find('reverted', `${actionId}`)
  if (note) return Number(note.about.from)
  for (const id of taken) if ((await thrown(id, WAS)) || (await mergePaths.isOf(id))) return id
  return undefined
}

/** The context as the merge driver expects it. */
const asMerge = (c: Context<'document-root.revert'>, actionId: number): Merge => ({
  ...c,
  input: { ...c.input, from: c.input },
  actionId,
})

const asideOf = (path: string) => `${path}.merging`

async function exists(path: string): Promise<boolean> {
  const handle = await openFolder(path)
  await handle?.close()
  return handle !== undefined
}
