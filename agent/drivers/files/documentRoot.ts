import { lstat, readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import {
  absent,
  bringBack,
  inside,
  must,
  notes,
  openFolder,
  run,
  shortName,
  throwAway,
  thrown,
} from '../../kit/host.ts'
import { siteAccount } from '../accounts/systemAccounts.ts'
import { kept, restored } from './restored.ts'

type Root = OperationInput<'document-root.ensure'>

/**
 * Creates the document root, and a first page if the folder is empty. Works as the account, so that root writes nowhere
 * that the account could not. Undo moves a folder that this action created into the trash.
 */
export const ensureDocumentRoot: Driver<'document-root.ensure'> = {
  async run({ input, actionId, say, fence }) {
    const { username, path, domain } = input
    const folder = folderOf(input)
    const account = await siteAccount(username)
    if (!(await exists(folder))) await notes.keep('document-root', nameOf(folder), actionId)
    fence()
    await must(['mkdir', '--parents', '--mode=0755', '--', path], { as: account })
    const handle = await openFolder(path)
    if (!handle) throw new Error(`${path} was created but does not exist`)
    try {
      const { uid } = await handle.stat()
      if (uid !== account.uid) throw new Error(`${path} belongs to uid ${uid}, not to ${username}`)
      const empty = isEmpty(await readdir(inside(handle, '.')))
      if (empty) {
        const write = { as: account, input: firstPage(domain) }
        try {
          await must(['dd', `of=${path}/${aside}`, 'conv=fsync', 'status=none'], write)
          await must(['mv', '--no-target-directory', '--', `${path}/${aside}`, `${path}/index.php`], { as: account })
        } catch (error) {
          await run(['rm', '--force', '--', `${path}/${aside}`], { as: account }) // a full disk leaves a part of it
          throw error
        }
      }
      say(empty ? `${path} has a first page` : `${path} has files: they stay as they are`)
    } finally {
      await handle.close()
    }
  },
  async undo(c) {
    const folder = folderOf(c.input)
    if ((await notes.find('document-root', nameOf(folder)))?.by !== c.actionId)
      return c.say(`${folder} was there before: it stays`)
    c.fence()
    await throwAway(c.actionId, folder, basename(folder))
    await notes.drop('document-root', nameOf(folder))
    c.say(`${folder} is in the trash`)
  },
  async inspect({ input, task, actionId }) {
    if (task === 'undo')
      return (await notes.find('document-root', nameOf(folderOf(input))))?.by === actionId ? 'no' : 'yes'
    const handle = await openFolder(input.path)
    try {
      return handle && !isEmpty(await readdir(inside(handle, '.'))) ? 'yes' : 'no'
    } finally {
      await handle?.close()
    }
  },
}

/** Moves the folder of a website into the trash. Undo restores it. */
export const removeDocumentRoot: Driver<'document-root.remove'> = {
  async run(c) {
    const folder = folderOf(c.input)
    c.fence()
    const path = await throwAway(c.actionId, folder, basename(folder), kept(c.input))
    await notes.drop('document-root', nameOf(folder))
    c.say(path ? `${folder} is in the trash` : `${folder} was gone already`)
    return { trash: path ?? null }
  },
  async undo(c) {
    const folder = folderOf(c.input)
    const there = await thrown(c.actionId, basename(folder))
    if (!there) return c.say(`${folder} is not in the trash of this action`)
    c.fence()
    await bringBack(there)
    c.say(`${folder} is back`)
  },
  async inspect({ input, task, actionId }) {
    const folder = folderOf(input)
    const there = await exists(folder)
    if (task === 'run') return there ? 'no' : 'yes'
    return (await thrown(actionId, basename(folder))) ? 'no' : 'yes'
  },
}

export const restoreDocumentRoot = restored<'document-root.restore', 'document-root.remove'>(removeDocumentRoot, (c) =>
  thrown(c.actionId, basename(folderOf(c.input))),
)

/** A partial first page of a killed attempt does not count as content. */
const aside = '.index.php.new'
const isEmpty = (names: string[]) => names.every((name) => name === aside)

/**
 * The folder of a website, which is created and deleted whole: `/home/web1/shop.example` for `…/shop.example/public`.
 */
export function folderOf({ username, path, domain }: Root): string {
  if (!path.startsWith(`/home/${username}/`)) throw new Error(`${path} is not below the home of ${username}`)
  return basename(dirname(path)) === domain ? dirname(path) : path
}
export const nameOf = (folder: string) => shortName(folder.slice('/home/'.length).replaceAll('/', '~'))

async function exists(folder: string): Promise<boolean> {
  const parent = await openFolder(dirname(folder))
  try {
    return parent !== undefined && (await lstat(inside(parent, folder)).catch(absent)) !== undefined
  } finally {
    await parent?.close()
  }
}

/**
 * The page shows that PHP works, and the domain, but nothing else about the server. The domain has passed its
 * allow-list.
 */
const firstPage = (domain: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${domain}</title>
<style>
  :root { color-scheme: light dark }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 17px/1.6 system-ui, sans-serif;
    color: light-dark(#26302b, #dfe6e2); background: light-dark(#f6f7f5, #171b19) }
  main { max-width: 34rem; padding: 2rem }
  h1 { margin: 0 0 .5rem; font-size: 1.8rem; line-height: 1.25; font-weight: 600; overflow-wrap: anywhere }
  p { margin: 0; color: light-dark(#56615b, #a3ada8) }
</style>
<main>
  <h1><?= '${domain}' ?></h1>
  <p>It works. This website is ready for its files.</p>
</main>
</html>
`
