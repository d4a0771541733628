import { readdir, readFile } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Context, Driver } from '../../kit/driver.ts'
import { ensureDirectory, exclusive, must, notes, read, remove, replace, run } from '../../kit/host.ts'
import { accountOf, type SiteAccount, shadowOf, siteAccount } from '../accounts/systemAccounts.ts'
import { join, keptIn, keyFile, keyFolder, sshPort } from './sftp.ts'

type Access = OperationInput<'sftp-access.ensure'>
type Voice = Pick<Context<'sftp-access.ensure'>, 'say' | 'fence'>
const kind = 'sftp-access'

/** Keys, password and state of an account's SFTP access. Undo restores the former access with its password. */
export const ensureSftpAccess: Driver<'sftp-access.ensure'> = {
  run: (c) =>
    exclusive('accounts', async () => {
      const { input, actionId, say } = c
      const { username, keys, state } = input
      const account = await siteAccount(username)
      const former = await notes.find(kind, username)
      if (former?.by !== actionId)
        await notes.keep(kind, username, actionId, { ...(await signInOf(username)), ...under(former) })
      if (state === 'active') {
        await join(username)
        await keptIn(username)
      }
      c.fence()
      if (input.signInPassword !== undefined) await setPassword(username, input.signInPassword)
      await setState(c, account, input)
      say(
        state === 'active'
          ? `${username} is let in with ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}${(await hasPassword(username)) ? ' and a password' : ''}`
          : `${username} is not let in`,
      )
      return { port: await sshPort(), hostKeys: await hostKeys() }
    }),
  undo: (c) =>
    exclusive('accounts', async () => {
      const { username } = c.input
      const note = await notes.find(kind, username)
      if (note?.by !== c.actionId) return c.say(`${username} has the access that another action set: it stays`)
      const account = await accountOf(username)
      if (account) await putBack(c, { ...account, username }, note.about)
      const { formerBy, former = '{}' } = note.about
      if (formerBy === undefined) await notes.drop(kind, username)
      else await notes.keep(kind, username, Number(formerBy), JSON.parse(former)) // written by `under`
    }),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find(kind, input.username))?.by === actionId ? 'no' : 'yes'
    // the password cannot be compared with its hash; a repeat is harmless
    if (input.signInPassword) return 'no'
    const kept = await read(keyFile(input.username))
    return kept === (input.state === 'active' ? keysText(input) : undefined) &&
      (await isLocked(input.username)) === (input.state !== 'active' || !(await hasPassword(input.username)))
      ? 'yes'
      : 'no'
  },
}

/**
 * The note of the action before, for the note of the next one: a move closes the access and opens it again, and its undo
 * reverts both.
 */
function under(note: Awaited<ReturnType<typeof notes.find>>): Record<string, string> {
  if (!note) return {}
  const { formerBy: _, former: __, ...about } = note.about
  return { formerBy: `${note.by}`, former: JSON.stringify(about) }
}

async function setState({ fence }: Pick<Voice, 'fence'>, account: SiteAccount, access: Access): Promise<void> {
  const { username, gid } = account
  if (access.state === 'active') {
    await ensureDirectory(keyFolder)
    // sshd reads the file as the account, which must not be able to change it
    await replace(keyFile(username), keysText(access), { mode: 0o640, owner: { uid: 0, gid } })
    if (await hasPassword(username)) await setHash(username, (await hashOf(username)).replace(/^!+/, ''))
    return
  }
  await remove(keyFile(username))
  if (!(await isLocked(username))) await setHash(username, `!${await hashOf(username)}`)
  fence()
  await sendAway(account.uid)
}

/** Has no comments: the order of the keys is that of the list. */
const keysText = ({ keys }: Pick<Access, 'keys'>) =>
  `# Written by Innkeeper. Changes are overwritten.\n${keys
    .map(({ type, body, expires }) => `restrict${expires ? `,expiry-time="${expires}"` : ''} ${type} ${body}\n`)
    .join('')}`

// --- the password hash in /etc/shadow: a leading `!` locks it, `!` alone means none ---------------------------------

/** An account without a line in /etc/shadow, which a killed useradd or userdel leaves, has no password. */
const hashOf = async (username: string): Promise<string> => (await shadowOf(username))?.trim().split(':')[1] ?? '!'
const isLocked = async (username: string) => /^[!*]/.test(await hashOf(username))
const hasPassword = async (username: string) => (await hashOf(username)).replace(/^[!*]+/, '') !== ''
/** Passes the hash by standard input, because process lists show arguments. */
const setHash = (username: string, hash: string) =>
  must(['chpasswd', '--encrypted'], { input: `${username}:${hash || '!'}\n` })

async function setPassword(username: string, password: string | null): Promise<void> {
  if (password === null) await setHash(username, '!')
  else await must(['chpasswd'], { input: `${username}:${password}\n` })
}

// --- the present access, for undo and for the trash ------------------------------------------------------------------

/** Everything that gives access to an account. */
export async function signInOf(username: string): Promise<Record<string, string>> {
  const keys = await read(keyFile(username))
  const hash = await hashOf(username)
  return { ...(keys !== undefined && { keys }), ...(hash !== '!' && { hash }) }
}

/** Restores what `signInOf` recorded. */
export async function putBack(
  voice: Pick<Voice, 'fence'>,
  account: SiteAccount,
  about: Record<string, string | number>,
) {
  const { username, uid, gid } = account
  const { keys, hash = '!' } = about
  if (keys === undefined) await remove(keyFile(username))
  else {
    await ensureDirectory(keyFolder)
    await replace(keyFile(username), `${keys}`, { mode: 0o640, owner: { uid: 0, gid } })
  }
  await setHash(username, `${hash}`)
  voice.fence()
  if (keys === undefined) await sendAway(uid)
}

/** Ends the SSH sessions of an account; its PHP continues. */
async function sendAway(uid: number): Promise<void> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '') // the process has ended
    if (!/^Name:\s+sshd/m.test(status) || !new RegExp(`^Uid:\\s+${uid}\\b`, 'm').test(status)) continue
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // the process ended by itself
    }
  }
}

/** `SHA256:… (ED25519)` for each host key. */
async function hostKeys(): Promise<string[]> {
  const files = (await readdir('/etc/ssh')).filter((name) => /^ssh_host_\w+_key\.pub$/.test(name)).toSorted()
  const found: string[] = []
  for (const file of files) {
    const { stdout } = await run(['ssh-keygen', '-l', '-f', `/etc/ssh/${file}`])
    const [, print, type] = stdout.match(/^\d+ (SHA256:[A-Za-z0-9+/]{43}) .*\((\w+)\)$/m) ?? []
    if (print) found.push(`${print} (${type})`)
  }
  return found
}
