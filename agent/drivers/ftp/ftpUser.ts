import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, must, notes, openFolder, read, replace } from '../../kit/host.ts'
import { accountOf, type SiteAccount, siteAccount } from '../accounts/systemAccounts.ts'
import { homeOf, type Login, lineOf, loginsIn, withLine } from './ftpLines.ts'
import { passwd } from './ftpPlaces.ts'
import { rebuild } from './ftpServer.ts'
import { endSessions, sessions } from './ftpSessions.ts'

type Ensure = Context<'ftp-user.ensure'>
const kind = 'ftp-user'
const removedKind = 'ftp-user-removed'

/** A login for a folder of a website. Undo restores the former line, or removes the login. */
export const ensureFtpUser: Driver<'ftp-user.ensure'> = {
  run: (c) =>
    exclusive('ftp', async () => {
      const { input, actionId, say } = c
      const { id, name, username, state } = input
      const account = await siteAccount(username)
      await ownFolder(c, account)
      const { text, mine } = await readLogins(id)
      const other = loginsIn(text).find((login) => login.name === name && login.id !== id)
      if (other) throw new Error(`Another FTP user of this server has the name ${name}`)
      if ((await notes.find(kind, `${id}`))?.by !== actionId)
        await notes.keep(kind, `${id}`, actionId, { before: mine?.line ?? '' })
      await put(c, withLine(text, id, lineOf(input, account)))
      await countUsage(c, account)
      await endWhatChanged(c, mine)
      say(state === 'active' ? `${name} signs in to ${homeOf(input)}` : `${name} is ${state}: nobody signs in`)
    }),
  undo: (c) =>
    exclusive('ftp', async () => {
      const { id, name } = c.input
      const note = await notes.find(kind, `${id}`)
      if (note?.by !== c.actionId) return c.say(`${name} has the settings of another action: they stay`)
      await put(c, withLine((await readLogins(id)).text, id, note.about.before))
      await endSessions(name)
      await notes.drop(kind, `${id}`)
    }),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find(kind, `${input.id}`))?.by === actionId ? 'no' : 'yes'
    const account = await accountOf(input.username)
    const { mine } = await readLogins(input.id)
    if (!account || mine?.line !== lineOf(input, account)) return 'no'
    const open = input.state === 'suspended' && (await sessions()).some(({ name }) => name === input.name)
    return open ? 'no' : 'yes'
  },
}

/** Removes a login and ends its sessions; its files stay. Undo restores the login. */
export const removeFtpUser: Driver<'ftp-user.remove'> = {
  run: (c) =>
    exclusive('ftp', async () => {
      const { id, name } = c.input
      const { text, mine } = await readLogins(id)
      if (mine) await notes.keep(removedKind, `${id}`, c.actionId, { before: mine.line })
      if (mine) await put(c, withLine(text, id))
      await endSessions(mine?.name ?? name)
      await notes.drop(kind, `${id}`)
      c.say(mine ? `${name} does not exist any more` : `${name} did not exist`)
    }),
  undo: (c) =>
    exclusive('ftp', async () => {
      const { id, name } = c.input
      const note = await notes.find(removedKind, `${id}`)
      if (note?.by !== c.actionId) return c.say(`${name} did not exist: nothing to bring back`)
      await put(c, withLine((await readLogins(id)).text, id, note.about.before))
      await notes.drop(removedKind, `${id}`)
    }),
  async inspect({ input: { id }, task, actionId }) {
    if (task === 'undo') return (await notes.find(removedKind, `${id}`))?.by === actionId ? 'no' : 'yes'
    return (await readLogins(id)).mine ? 'no' : 'yes'
  },
}

async function readLogins(id: number): Promise<{ text: string; mine: Login | undefined }> {
  const text = (await read(passwd)) ?? ''
  return { text, mine: loginsIn(text).find((login) => login.id === id) }
}

/** Writes the logins and compiles them; pure-ftpd reads them at each sign-in. */
async function put({ fence }: Pick<Ensure, 'fence'>, text: string): Promise<void> {
  fence()
  await replace(passwd, text, { mode: 0o600 })
  await rebuild()
}

/** Creates the folder as the account. Refuses a symlink in its path, and a folder of somebody else. */
async function ownFolder({ input, fence }: Ensure, account: SiteAccount): Promise<void> {
  const home = homeOf(input)
  if (!home.startsWith(`${account.home}/`)) throw new Error(`${home} is not in the home of ${account.username}`)
  // a suspended website may have no folder any more
  if (input.state !== 'active') return
  fence()
  const before = await openFolder(home)
  if (!before) await must(['mkdir', '--parents', '--mode=0755', '--', home], { as: account })
  const handle = before ?? (await openFolder(home))
  if (!handle) throw new Error(`${home} was created but does not exist`)
  try {
    const { uid } = await handle.stat()
    if (uid !== account.uid) throw new Error(`${home} belongs to uid ${uid}, not to ${account.username}`)
  } finally {
    await handle.close()
  }
}

/** Counts the files and bytes of the folder into pure-ftpd's quota file. Works as the account. */
async function countUsage({ input }: Ensure, account: SiteAccount): Promise<void> {
  if (input.state !== 'active' || input.quotaMb === undefined) return
  const { uid, gid } = account
  await must(['pure-quotacheck', '-u', `${uid}`, '-g', `${gid}`, '-d', homeOf(input)])
}

/** Ends the sessions of a suspended login, and those that began with another password, name or folder. */
async function endWhatChanged({ input }: Ensure, before: Login | undefined): Promise<void> {
  if (!before) return
  const changed =
    before.home !== homeOf(input) || before.name !== input.name || before.hash.replace('!', '') !== input.hash
  if (input.state === 'suspended' || changed) await endSessions(before.name)
}
