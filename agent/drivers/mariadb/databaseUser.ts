import { rm } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, must, notes, places, read, replace, spooled, takeOut, throwAway, thrown } from '../../kit/host.ts'
import { kept, restored } from '../files/restored.ts'
import { ask, askRows, named, quoted } from './mariadbAsk.ts'

type User = OperationInput<'database-user.ensure'>
type Grant = User['grants'][number]

/** Local access only: the socket, and loopback, which needs an account of its own in MariaDB. */
const hosts = ['localhost', '127.0.0.1'] as const
const accountsOf = (username: string) => hosts.map((host) => `${quoted(username)}@${quoted(host)}`)
const label = (username: string) => `${username}.database-user`

/** Sets an account to exactly these privileges. Undo restores its former privileges and password, or removes it. */
export const ensureDatabaseUser: Driver<'database-user.ensure'> = {
  run: (c) =>
    exclusive(`database-user ${c.input.user}`, async () => {
      const { user: username, password, grants, locked } = c.input
      const [before, known] = await Promise.all([textOf(username), grantsOf(username)])
      if (!before && !password) throw new Error(`${username} does not exist, and no password is given to create it`)
      if ((await notes.find('database-user', username))?.by !== c.actionId)
        await notes.keep('database-user', username, c.actionId, before ? { before } : {})
      c.fence()
      const lines = accountsOf(username).flatMap((account) => [
        ...(password ? [`create user if not exists ${account} identified by ${quoted(password)};`] : []),
        `alter user ${account} ${password ? `identified by ${quoted(password)}` : ''} account ${locked ? 'lock' : 'unlock'};`,
        ...(sameGrants(known, grants) ? [] : granting(account, grants)),
      ])
      await ask(lines.join('\n'))
      if (password && !locked) await comesIn(username, password, grants)
      const to = grants.map(({ database }) => database).join(', ')
      c.say(`${username} ${locked ? 'is locked' : 'can connect'}${to && `; its own: ${to}`}`)
    }),
  undo: (c) =>
    exclusive(`database-user ${c.input.user}`, async () => {
      const { user: username } = c.input
      const note = await notes.find('database-user', username)
      if (note?.by !== c.actionId) return c.say(`${username} was not changed by this action: it stays`)
      c.fence()
      await ask(note.about.before ?? dropping(username))
      await notes.drop('database-user', username)
      c.say(note.about.before ? `${username} has its former password and rights` : `${username} is gone`)
    }),
  async inspect({ input: { user: username, password, grants, locked }, task, actionId }) {
    if (task === 'undo') return (await notes.find('database-user', username))?.by === actionId ? 'no' : 'yes'
    const text = await textOf(username)
    // setting a password again is harmless
    if (password || !text || text.includes('ACCOUNT LOCK') !== locked) return 'no'
    return sameGrants(await grantsOf(username), grants) ? 'yes' : 'no'
  },
}

/** Moves the password hash and the privileges into the trash. Undo restores them. */
export const removeDatabaseUser: Driver<'database-user.remove'> = {
  run: (c) =>
    exclusive(`database-user ${c.input.user}`, async () => {
      const { user: username } = c.input
      const text = await textOf(username)
      if (text && !(await thrown(c.actionId, label(username)))) {
        const file = await spooled(`user-${c.actionId}.sql`)
        await replace(file, text, { mode: 0o600 })
        c.fence()
        await throwAway(c.actionId, file, label(username), kept(c.input))
      }
      c.fence()
      await ask(dropping(username))
      await notes.drop('database-user', username)
      c.say(text ? `${username} can no longer connect` : `${username} was gone already`)
    }),
  undo: (c) =>
    exclusive(`database-user ${c.input.user}`, async () => {
      const { user: username } = c.input
      const there = await thrown(c.actionId, label(username))
      const text = there && (await read(there.path))
      if (!there || !text) return c.say(`${username} is not in the trash of this action`)
      c.fence()
      await ask(text)
      await takeOut(there)
      c.say(`${username} is back, with its password and rights`)
    }),
  async inspect({ input: { user: username }, task, actionId }) {
    if (task === 'undo') return (await thrown(actionId, label(username))) ? 'no' : 'yes'
    return (await textOf(username)) ? 'no' : 'yes'
  },
}

export const restoreDatabaseUser = restored<'database-user.restore', 'database-user.remove'>(removeDatabaseUser, (c) =>
  thrown(c.actionId, label(c.input.user)),
)

const dropping = (username: string) => `drop user if exists ${accountsOf(username).join(', ')};`

/** SQL that creates the account as it is now, whatever its state when the SQL runs; undefined if there is none. */
async function textOf(username: string): Promise<string | undefined> {
  const found = await askRows<{ host: string }>(
    `select json_object('host', host) from mysql.global_priv where user = ${quoted(username)}
      and host in (${hosts.map(quoted).join(', ')}) order by host;`,
  )
  if (!found.length) return undefined
  const accounts = found.map(({ host }) => `${quoted(username)}@${quoted(host)}`)
  const said = await ask(
    accounts.map((account) => `show create user ${account};\nshow grants for ${account};`).join('\n'),
  )
  const lines = said.trim().split('\n')
  return `${lines.map((line) => line.replace(/^CREATE USER/, 'CREATE OR REPLACE USER')).join(';\n')};\n`
}

const WORTH = `case when drop_priv = 'Y' and insert_priv = 'Y' then 'all' else 'read' end`
const grantsOf = (username: string) =>
  askRows<Grant & { host: string }>(
    `select json_object('host', host, 'database', replace(db, '\\\\', ''), 'privileges', ${WORTH}) from mysql.db
      where user = ${quoted(username)};`,
  )

const sameGrants = (known: readonly (Grant & { host: string })[], wanted: readonly Grant[]) =>
  known.length === wanted.length * hosts.length &&
  wanted.every((grant) =>
    hosts.every((host) =>
      known.some((k) => k.host === host && k.database === grant.database && k.privileges === grant.privileges),
    ),
  )

/** Escapes `_`, which matches any character in the database name of a GRANT. */
const granting = (account: string, grants: readonly Grant[]) => [
  `revoke all privileges, grant option from ${account};`,
  ...grants.map(
    ({ database, privileges }) =>
      `grant ${privileges === 'all' ? 'all privileges' : 'select, show view'} on ${named(database.replaceAll('_', '\\_'))}.* to ${account};`,
  ),
]

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
