import { lstat, rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { absent, inside, notes } from '../../kit/host.ts'
import { accountOf, siteAccount } from '../accounts/systemAccounts.ts'
import { folderOf, nameOf } from './documentRoot.ts'
import { isLinkTo, linked, makeLink, targetOf, unlinked, withHome } from './documentRootRename.ts'

/** Links the old path of a website that was renamed before it moved here. Leaves anything that is at the path. */
export const linkDocumentRoot: Driver<'document-root.link'> = {
  async run(c) {
    const folder = folderOf(c.input)
    const account = await siteAccount(c.input.username)
    if (await withHome(folder, (home) => lstat(inside(home, folder)).catch(absent)))
      return c.say(`${folder} exists: it stays as it is`)
    c.fence()
    await notes.keep(linked, nameOf(folder), c.actionId)
    await makeLink(folder, c.input.to, account)
    c.say(`${folder} leads to ${c.input.to}`)
  },
  async undo(c) {
    const folder = folderOf(c.input)
    if ((await notes.find(linked, nameOf(folder)))?.by !== c.actionId)
      return c.say(`${folder} was not linked by this action: it stays as it is`)
    c.fence()
    await withHome(folder, async (home) => {
      if (await isLinkTo(inside(home, folder), c.input.to)) await rm(inside(home, folder))
    })
    await notes.drop(linked, nameOf(folder))
  },
  async inspect({ input, task, actionId }) {
    const folder = folderOf(input)
    if (task === 'undo') return (await notes.find(linked, nameOf(folder)))?.by === actionId ? 'no' : 'yes'
    return (await withHome(folder, (home) => isLinkTo(inside(home, folder), input.to))) ? 'yes' : 'no'
  },
}
/** Removes the symlink of the old path. Leaves anything else that is at the path. */
export const unlinkDocumentRoot: Driver<'document-root.unlink'> = {
  async run(c) {
    const folder = folderOf(c.input)
    const target = await targetOf(c.input)
    if (target === undefined) return c.say(`${folder} is no link of a renamed website: nothing to remove`)
    c.fence()
    await notes.keep(unlinked, nameOf(folder), c.actionId, { target })
    await withHome(folder, (home) => rm(inside(home, folder), { force: true }))
    c.say(`${folder} is no longer a link`)
  },
  async undo(c) {
    const folder = folderOf(c.input)
    const note = await notes.find(unlinked, nameOf(folder))
    if (note?.by !== c.actionId) return c.say(`${folder} was not removed by this action: it stays as it is`)
    const account = await accountOf(c.input.username)
    if (account && note.about.target && !(await withHome(folder, (home) => lstat(inside(home, folder)).catch(absent))))
      await makeLink(folder, note.about.target, account)
    await notes.drop(unlinked, nameOf(folder))
  },
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find(unlinked, nameOf(folderOf(input))))?.by === actionId ? 'no' : 'yes'
    return (await targetOf(input)) === undefined ? 'yes' : 'no'
  },
}
