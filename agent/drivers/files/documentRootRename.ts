import { renameSync, rmSync } from 'node:fs'
import { type FileHandle, lstat, readlink, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { OperationInput } from '@innkeeper/contract/agent'
import type { Driver } from '../../kit/driver.ts'
import { absent, inside, must, notes, openFolder } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { folderOf, nameOf } from './documentRoot.ts'

type Rename = OperationInput<'document-root.rename'>
type Unlink = OperationInput<'document-root.unlink'>
const renamed = 'document-root-renamed'
const unlinked = 'document-root-unlinked'

/**
 * The folder of a website under its new domain's name. Its old name leads there, made aside before the folder moves and
 * put in its place right after: what knows the old path goes on working, nginx to begin with.
 */
export const renameDocumentRoot: Driver<'document-root.rename'> = {
  async run(c) {
    const { from, to } = foldersOf(c.input)
    const account = await accountOf(c.input.username)
    if (!account) throw new Error(`${c.input.username} has no account on this server`)
    await withHome(from, async (home) => {
      const [old, next, aside] = [inside(home, from), inside(home, to), inside(home, asideOf(from))]
      const begun = (await notes.find(renamed, nameOf(from)))?.by === c.actionId
      if (await isFolder(old)) {
        const back = await wayTo(home, to, from)
        if (!back && (await lstat(next).catch(absent))) throw new Error(`${to} is there already`)
        c.fence()
        // it had that name before, and the way from there to here ends now
        if (!begun) await notes.keep(renamed, nameOf(from), c.actionId, back ? { back } : {})
        if (back) await rm(next)
        await makeLink(asideOf(from), to, account)
        // Both renames without other work between them: until the second one, visitors of the old path get 404.
        renameSync(old, next)
        renameSync(aside, old)
      } else if (!begun || !(await isFolder(next))) throw new Error(`${from} is not there`)
      if (!(await lstat(old).catch(absent))) {
        if (!(await lstat(aside).catch(absent))) await makeLink(asideOf(from), to, account)
        await rename(aside, old)
      }
    })
    c.say(`${from} is ${to} now, and its old path leads there`)
  },
  async undo(c) {
    const { from, to } = foldersOf(c.input)
    const note = await notes.find(renamed, nameOf(from))
    if (note?.by !== c.actionId) return c.say(`${from} was not renamed: it stays`)
    const account = await accountOf(c.input.username)
    await withHome(from, async (home) => {
      c.fence()
      await rm(inside(home, asideOf(from)), { force: true })
      const [old, next] = [inside(home, from), inside(home, to)]
      const isLink = await isLinkTo(old, basename(to))
      const isFree = isLink || !(await lstat(old).catch(absent))
      const isThere = await isFolder(next)
      if (isLink) rmSync(old)
      if (isThere && isFree) renameSync(next, old)
      if (note.about.back && account && !(await lstat(inside(home, to)).catch(absent)))
        await makeLink(to, note.about.back, account)
    })
    await notes.forget(renamed, nameOf(from))
    c.say(`${from} has its name again`)
  },
  async inspect({ input, task, actionId }) {
    const { from, to } = foldersOf(input)
    if (task === 'undo') return (await notes.find(renamed, nameOf(from)))?.by === actionId ? 'no' : 'yes'
    const done = await withHome(
      from,
      async (home) => (await isFolder(inside(home, to))) && (await isLinkTo(inside(home, from), basename(to))),
    )
    return done ? 'yes' : 'no'
  },
}

/** The old path ends; whatever stands there and is no link is nobody's business here. */
export const unlinkDocumentRoot: Driver<'document-root.unlink'> = {
  async run(c) {
    const folder = folderOf(c.input)
    const target = await targetOf(c.input)
    if (target === undefined) return c.say(`${folder} leads nowhere: nothing to end`)
    c.fence()
    await notes.keep(unlinked, nameOf(folder), c.actionId, { target })
    await withHome(folder, (home) => rm(inside(home, folder), { force: true }))
    c.say(`${folder} leads nowhere any more`)
  },
  async undo(c) {
    const folder = folderOf(c.input)
    const note = await notes.find(unlinked, nameOf(folder))
    if (note?.by !== c.actionId) return c.say(`${folder} led nowhere before: it stays so`)
    const account = await accountOf(c.input.username)
    if (account && note.about.target && !(await withHome(folder, (home) => lstat(inside(home, folder)).catch(absent))))
      await makeLink(folder, note.about.target, account)
    await notes.forget(unlinked, nameOf(folder))
  },
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find(unlinked, nameOf(folderOf(input))))?.by === actionId ? 'no' : 'yes'
    return (await targetOf(input)) === undefined ? 'yes' : 'no'
  },
}

const asideOf = (folder: string) => `${dirname(folder)}/.${basename(folder)}.innkeeper`

function foldersOf({ newDomain, ...root }: Rename): { from: string; to: string } {
  const from = folderOf(root)
  if (basename(from) !== root.domain) throw new Error(`${root.path} is not the own folder of ${root.domain}`)
  return { from, to: `${dirname(from)}/${newDomain}` }
}

async function withHome<T>(folder: string, work: (home: FileHandle) => Promise<T>): Promise<T | undefined> {
  const home = await openFolder(dirname(folder))
  try {
    return home && (await work(home))
  } finally {
    await home?.close()
  }
}

/** As the account itself and relative: a web server follows only what has one owner with its target. */
async function makeLink(path: string, target: string, account: { uid: number; gid: number }): Promise<void> {
  await must(['ln', '--symbolic', '--no-target-directory', '--force', '--', basename(target), path], { as: account })
}

const isFolder = async (path: string) => (await lstat(path).catch(absent))?.isDirectory() ?? false
const isLinkTo = async (path: string, target: string) =>
  ((await lstat(path).catch(absent))?.isSymbolicLink() ?? false) && (await readlink(path)) === target

/** Names that a website had one after the other: each leads to the next. */
const MOST_NAMES = 40

/** Where a former name leads at first, if it leads to this folder in the end. */
async function wayTo(home: FileHandle, former: string, folder: string): Promise<string | undefined> {
  const first = await linkOf(inside(home, former))
  let next = first
  for (let steps = 0; next && next !== basename(folder) && steps < MOST_NAMES; steps++)
    next = await linkOf(inside(home, `${dirname(folder)}/${next}`))
  return next === basename(folder) ? first : undefined
}

/** The folder beside it that a link leads to. */
async function linkOf(path: string): Promise<string | undefined> {
  if (!(await lstat(path).catch(absent))?.isSymbolicLink()) return undefined
  const target = await readlink(path)
  return /^[a-z0-9.-]+$/.test(target) ? target : undefined
}

/** Where the old path leads: to another folder beside it, or it is none of ours. */
async function targetOf(input: Unlink): Promise<string | undefined> {
  const folder = folderOf(input)
  return withHome(folder, (home) => linkOf(inside(home, folder)))
}
