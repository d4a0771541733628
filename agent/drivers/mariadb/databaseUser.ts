import { rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, must, notes, places, read, replace, spooled, takeOut, throwMade, thrown } from '../../kit/host.ts'
import { kept, restored } from '../files/restored.ts'
import {
  type Grant,
  granting,
  grantsOf,
  hostsOf,
  isLocal,
  losesGrants,
  sameGrants,
  textOf,
  type Who,
} from './grants.ts'
import { ask, quoted } from './mariadbAsk.ts'
import { endSessions, isConnected } from './sessions.ts'

const accountsOf = (who: Who) => hostsOf(who).map((host) => `${quoted(who.user)}@${quoted(host)}`)
/** Name of the account in notes and in the trash: file names contain no slash. */
const keyOf = ({ user, host = 'localhost' }: Who) => (host === 'localhost' ? user : `${user}@${host.replace('/', '-')}`)
const label = (who: Who) => `${keyOf(who)}.database-user`

/**
 * Sets an account to exactly these privileges. Ends its connections if it is locked or loses a privilege, because MariaDB
 * checks neither for an open connection. Undo restores its former privileges and password, or removes it.
 */
export const ensureDatabaseUser: Driver<'database-user.ensure'> = {
  run: (c) =>
    exclusive(`database-user ${c.input.user}`, async () => {
      const { password, grants, locked, fresh } = c.input
      const key = keyOf(c.input)
      const [before, known] = await Promise.all([textOf(c.input), grantsOf(c.input)])
      if (!before && !password) throw new Error(`${key} does not exist, and no password is given to create it`)
      const mine = (await notes.find('database-user', key))?.by === c.actionId
      if (before && fresh && !mine)
        throw new Error(`this server has a database account ${key} already: delete it there, or choose another name`)
      if (!mine) await notes.keep('database-user', key, c.actionId, before ? { before } : {})
      c.fence()
      const lines = accountsOf(c.input).flatMap((account) => [
        ...(password ? [`create user if not exists ${account} ${identified(password)};`] : []),
        `alter user ${account} ${password ? identified(password) : ''} require ${isLocal(c.input) ? 'none' : 'ssl'}
          account ${locked ? 'lock' : 'unlock'};`,
        ...(sameGrants(known, c.input) ? [] : granting(account, grants)),
      ])
      await ask(lines.join('\n'))
      if (locked || losesGrants(known, c.input)) await endSessions(c.input)
      if (password && !isHash(password) && !locked && isLocal(c.input)) await comesIn(c.input.user, password, grants)
      const to = grants.map(({ database }) => database).join(', ')
      c.say(`${key} ${locked ? 'is locked' : 'can connect'}${to && `; its own: ${to}`}`)
    }),
  undo: (c) =>
    exclusive(`database-user ${c.input.user}`, async () => {
      const key = keyOf(c.input)
      const note = await notes.find('database-user', key)
      if (note?.by !== c.actionId) return c.say(`${key} was not changed by this action: it stays`)
      c.fence()
      const { before } = note.about
      await ask(before ?? dropping(c.input))
      if (!before || isLocked(before)) await endSessions(c.input)
      await notes.drop('database-user', key)
      c.say(before ? `${key} has its former password and rights` : `${key} is gone`)
    }),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find('database-user', keyOf(input)))?.by === actionId ? 'no' : 'yes'
    const text = await textOf(input)
    // setting a password again is harmless
    if (input.password || !text || isLocked(text) !== input.locked) return 'no'
    if (input.locked && (await isConnected(input))) return 'no'
    return sameGrants(await grantsOf(input), input) ? 'yes' : 'no'
  },
}

/** Moves the password hash and the privileges into the trash. Undo restores them. */
export const removeDatabaseUser: Driver<'database-user.remove'> = {
  run: (c) =>
    exclusive(`database-user ${c.input.user}`, async () => {
      const key = keyOf(c.input)
      const text = await textOf(c.input)
      if (text && !(await thrown(c.actionId, label(c.input)))) {
        const file = await spooled(`user-${c.actionId}.sql`)
        await replace(file, text, { mode: 0o600 })
        c.fence()
        await throwMade(c.actionId, file, label(c.input), kept(c.input))
      }
      c.fence()
      await ask(dropping(c.input))
      await endSessions(c.input)
      await notes.drop('database-user', key)
      c.say(text ? `${key} can no longer connect` : `${key} was gone already`)
    }),
  undo: (c) =>
    exclusive(`database-user ${c.input.user}`, async () => {
      const there = await thrown(c.actionId, label(c.input))
      const text = there && (await read(there.path))
      if (!there || !text) return c.say(`${keyOf(c.input)} is not in the trash of this action`)
      c.fence()
      await ask(text)
      await takeOut(there)
      c.say(`${keyOf(c.input)} is back, with its password and rights`)
    }),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await thrown(actionId, label(input))) ? 'no' : 'yes'
    return (await textOf(input)) ? 'no' : 'yes'
  },
}

export const restoreDatabaseUser = restored<'database-user.restore', 'database-user.remove'>(removeDatabaseUser, (c) =>
  thrown(c.actionId, label(c.input)),
)

/** An account that came with an archive has the hash of its password: no password contains an asterisk. */
const isHash = (password: string) => password.startsWith('*')
const identified = (password: string) => `identified by ${isHash(password) ? 'password ' : ''}${quoted(password)}`

const isLocked = (text: string) => text.includes('ACCOUNT LOCK')
const dropping = (who: Who) => `drop user if exists ${accountsOf(who).join(', ')};`

/** Connects as the website would. Passes the password in a file that only root can read. */
async function comesIn(username: string, password: string, [first]: readonly Grant[]): Promise<void> {
  const file = `${places.state}/database-user-${username}.cnf`
  await replace(file, `[client]\nuser=${username}\npassword=${password}\n`, { mode: 0o600 })
  const into = first ? [`--database=${first.database}`] : []
  try {
    await must(['mariadb', `--defaults-file=${file}`, '--protocol=socket', ...into, '--execute=select 1'])
  } finally {
    await rm(file, { force: true })
  }
}
