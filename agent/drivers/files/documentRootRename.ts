import { renameSync, rmSync } from 'node:fs'
import { type FileHandle, lstat, readlink, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { absent, inside, must, notes, openFolder } from '../../kit/host.ts'
import { accountOf, siteAccount } from '../accounts/systemAccounts.ts'
import { folderOf, nameOf } from './documentRoot.ts'

type Rename = OperationInput<'document-root.rename'>
type Unlink = OperationInput<'document-root.unlink'>
const renamed = 'document-root-renamed'
export const unlinked = 'document-root-unlinked'
export const linked = 'document-root-linked'

/**
 * Renames the folder of a website to its new domain. A symlink, made aside before the rename and put in place right
 * after, leads from the old path to the new one, so that nginx and others can go on using the old path.
 */
export const renameDocumentRoot: Driver<'document-root.rename'> = {
  async run(c) {
    const { from, to } = foldersOf(c.input)
    const account = await siteAccount(c.input.username)
    await withHome(from, async (home) => {
      const [old, next, aside] = [inside(home, from), inside(home, to), inside(home, asideOf(from))]
      const begun = (await notes.find(renamed, nameOf(from)))?.by === c.actionId
      if (await isFolder(old)) {
        const back = await wayTo(home, to, from)
        if (!back && (await lstat(next).catch(absent))) throw new Error(`${to} exists already`)
        c.fence()
        // the website had this name before: remove the symlink from that name to here
        if (!begun) await notes.keep(renamed, nameOf(from), c.actionId, back ? { back } : {})
        if (back) await rm(next)
        await makeLink(asideOf(from), to, account)
        // Two renames with no work between them: in between, visitors of the old path get 404.
        renameSync(old, next)
        renameSync(aside, old)
      } else if (!begun || !(await isFolder(next))) throw new Error(`${from} does not exist`)
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
    await notes.drop(renamed, nameOf(from))
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

const asideOf = (folder: string) => `${dirname(folder)}/.${basename(folder)}.innkeeper`

function foldersOf({ newDomain, ...root }: Rename): { from: string; to: string } {
  const from = folderOf(root)
  if (basename(from) !== root.domain) throw new Error(`${root.path} is not the own folder of ${root.domain}`)
  return { from, to: `${dirname(from)}/${newDomain}` }
}

export async function withHome<T>(folder: string, work: (home: FileHandle) => Promise<T>): Promise<T | undefined> {
  const home = await openFolder(dirname(folder))
  try {
    return home && (await work(home))
  } finally {
    await home?.close()
  }
}

/**
 * Creates the link as the account and relative: a web server follows only links with the same owner as their target.
 */
export async function makeLink(path: string, target: string, account: { uid: number; gid: number }): Promise<void> {
  await must(['ln', '--symbolic', '--no-target-directory', '--force', '--', basename(target), path], { as: account })
}

const isFolder = async (path: string) => (await lstat(path).catch(absent))?.isDirectory() ?? false
export const isLinkTo = async (path: string, target: string) =>
  ((await lstat(path).catch(absent))?.isSymbolicLink() ?? false) && (await readlink(path)) === target

/** The longest chain of former names: each links to the next. */
const MOST_NAMES = 40

/** The first target of a former name, if its chain of links ends at this folder. */
async function wayTo(home: FileHandle, former: string, folder: string): Promise<string | undefined> {
  const first = await linkOf(inside(home, former))
  let next = first
  for (let steps = 0; next && next !== basename(folder) && steps < MOST_NAMES; steps++)
    next = await linkOf(inside(home, `${dirname(folder)}/${next}`))
  return next === basename(folder) ? first : undefined
}

/** The neighbouring folder that a link leads to. */
async function linkOf(path: string): Promise<string | undefined> {
  if (!(await lstat(path).catch(absent))?.isSymbolicLink()) return undefined
  const target = await readlink(path)
  return /^[a-z0-9.-]+$/.test(target) ? target : undefined
}

/** The target of the old path; undefined unless it is a link to a neighbouring folder. */
export async function targetOf(input: Unlink): Promise<string | undefined> {
  const folder = folderOf(input)
  return withHome(folder, (home) => linkOf(inside(home, folder)))
}
