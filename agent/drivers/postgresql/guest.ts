import { randomBytes } from 'node:crypto'
import { remove, replace } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { ACCOUNTS, ask, askRows, named, programOf, quoted, shapeOf, target } from './ask.ts'
import { creating, readersOf, refuseStrange } from './groups.ts'
import { dropRole, verifierOf } from './role.ts'

const PREFIX = 'ik_guest_'

export interface Guest {
  /** psql as this guest, on the database. */
  psql: [string, ...string[]]
  /**
   * psql for a script on its standard input, as one transaction. Refuses commands of the client, whatever our own reader
   * took for quoted text: a dump can change by a setting how psql reads quotes.
   */
  script: [string, ...string[]]
  /** The system account without rights that psql runs as: a dump or a query cannot make it start programs of root. */
  as: { uid: number; gid: number }
}
interface May {
  /** `own`: creates objects of the owner. `read`: reads only. */
  may: 'own' | 'read'
  /** Maximum number of seconds of a statement. */
  seconds?: number
}

/**
 * Runs some work as a temporary account with rights in one database only, so that PostgreSQL refuses SQL that reaches
 * beyond the database. Also drops temporary accounts that a crash left behind.
 */
export async function withGuest<T>(
  name: string,
  { may, seconds }: May,
  work: (guest: Guest) => Promise<T>,
): Promise<T> {
  const shape = await shapeOf(name)
  if (!shape) throw new Error(`there is no database ${name} on this server`)
  refuseStrange(name, shape.owner)
  const as = await accountOf('nobody')
  if (!as) throw new Error('this machine has no account nobody')
  await dropLeftOver()
  const mark = randomBytes(8).toString('hex')
  const user = `${PREFIX}${mark}`
  const password = randomBytes(24).toString('base64url')
  const group = may === 'own' ? shape.owner : readersOf(shape.owner)
  const file = `/run/innkeeper-psql-${mark}`
  await replace(file, `*:*:*:${user}:${password}\n`, { mode: 0o600, owner: { uid: as.uid, gid: as.gid } })
  try {
    await ask(
      `${creating([ACCOUNTS])}
      create role ${named(user)} login password ${quoted(verifierOf(password))} valid until ${quoted(until())};
      grant ${named(ACCOUNTS)}, ${named(group)} to ${named(user)};
      ${may === 'own' ? `alter role ${named(user)} in database ${named(name)} set role = ${named(shape.owner)};` : ''}`,
    )
    const options = [
      '-c client_min_messages=warning',
      // the owner of a database may set this for the database; our own reader of statements expects `on`
      '-c standard_conforming_strings=on',
      ...(seconds ? [`-c statement_timeout=${seconds * 1000}`] : []),
      ...(may === 'read' ? ['-c default_transaction_read_only=on'] : []),
    ].join(' ')
    const psql: Guest['psql'] = [
      ...(['prlimit', `--as=${2 * 1024 ** 3}`, programOf('psql'), '--no-psqlrc', '--quiet', '--no-password'] as const),
      '--set=ON_ERROR_STOP=1',
      `--dbname=${await target(name, { user, passfile: file, options })}`,
    ]
    const key = randomBytes(16).toString('hex')
    const script: Guest['script'] = [...psql, '--single-transaction', `--command=\\restrict ${key}`, '--file=-']
    return await work({ psql, script, as: { uid: as.uid, gid: as.gid } })
  } finally {
    await remove(file)
    await dropRole(user)
  }
}

/** The time after which a guest can no longer sign in, even if the agent never drops it. */
const until = () => new Date(Date.now() + 7 * 3_600_000).toISOString()

async function dropLeftOver(): Promise<void> {
  const left = await askRows<{ user: string }>(
    `select json_build_object('user', rolname) from pg_roles where rolname like ${quoted(`${PREFIX.replaceAll('_', '\\_')}%`)}
      and rolvaliduntil < now();`,
  )
  for (const { user } of left) await dropRole(user)
}
