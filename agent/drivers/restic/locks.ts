import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { request } from 'node:https'
import { hostname } from 'node:os'
import { absent } from '../../kit/host.ts'
import type { Asking } from './ask.ts'
import {
  ask,
  type Local,
  local,
  type Message,
  numberIn,
  owner,
  type Reached,
  type Remote,
  repositoryPath,
  type Said,
} from './ask.ts'
import { objectsIn, removeStored } from './s3.ts'

/** Age at which a lock is dead: restic refreshes its lock every 5 minutes, and exits earlier than this if it cannot. */
const DEAD_MS = 30 * 60_000
const MINUTE = 60_000
/** Longest wait for a lock. Longer than `DEAD_MS`, so that the lock of a dead machine has been removed by then. */
const PATIENCE_MS = 45 * MINUTE
const MOST = 50
const LOCKED = 11

export interface Lock {
  file: string
  since: string
  exclusive: boolean
  /** No running process holds the lock: the next maintenance removes it. */
  stale: boolean
  host: string
  username: string
  pid: number
}

/**
 * Locks of a repository in a bucket. Their age is by the clock of the store. Only the age decides whether a lock is stale:
 * machines and maintenance both run as root here, so the process id in a lock does not tell whose process ended.
 */
async function storedLocks(account: string, reached: Reached): Promise<Lock[]> {
  const { bucket } = reached
  const locks: Lock[] = []
  if (!bucket) return locks
  for await (const { key, ageMs } of objectsIn(bucket, account, 'locks/')) {
    const file = key.slice(key.lastIndexOf('/') + 1)
    if (!/^[0-9a-f]{64}$/.test(file) || locks.length >= MOST) continue
    const lock = await contentOf(reached, file)
    locks.push({
      ...{ file, since: new Date(Date.now() - ageMs).toISOString(), exclusive: lock?.exclusive === true },
      ...{ stale: ageMs > DEAD_MS, host: String(lock?.hostname ?? 'unknown') },
      ...{ username: String(lock?.username ?? 'unknown'), pid: numberIn(lock, 'pid') },
    })
  }
  return locks
}

/** Locks of a repository on this backup server. */
async function locksIn(account: string, reached: Reached): Promise<Lock[]> {
  if (reached.bucket) return storedLocks(account, reached)
  const folder = `${repositoryPath(account)}/locks`
  const steady = isSteady()
  const locks: Lock[] = []
  for (const file of (await readdir(folder).catch(() => []))
    .filter((one) => /^[0-9a-f]{64}$/.test(one))
    .slice(0, MOST)) {
    const written = (await stat(`${folder}/${file}`).catch(absent))?.mtimeMs
    if (written === undefined) continue // the lock has been removed meanwhile
    const lock = await contentOf(reached, file)
    const told = lock
      ? { host: String(lock.hostname), username: String(lock.username), pid: numberIn(lock, 'pid') }
      : { host: 'unknown', username: 'unknown', pid: 0 } // a full disk leaves an empty lock file, for which restic waits, too
    // uses the clock of this server, because the clock of another machine may be an hour wrong
    const stale = (await hasEnded(told, owner)) || (steady && Date.now() - written > DEAD_MS)
    locks.push({ file, since: new Date(written).toISOString(), exclusive: lock?.exclusive === true, stale, ...told })
  }
  return locks
}

/**
 * Removes stale locks. Does not use `restic unlock`, which trusts the clock and the host name of the other machine: with a
 * wrong clock it would remove the lock of a running backup, and a prune would delete data that this backup needs.
 */
export async function freeLocks(account: string, reached: Reached): Promise<Lock[]> {
  const locks = await locksIn(account, reached)
  for (const { file } of locks.filter(({ stale }) => stale))
    if (reached.bucket) await removeStored(reached.bucket, lockKey(reached.bucket, account, file))
    else await rm(`${repositoryPath(account)}/locks/${file}`, { force: true })
  return locks.filter(({ stale }) => !stale)
}

const lockKey = ({ s3 }: NonNullable<Reached['bucket']>, account: string, file: string) =>
  `${s3.prefix}${account}/locks/${file}`

/** Runs restic on a repository of this server. Waits while another process holds a lock, and removes dead ones. */
export async function patiently(
  input: Local,
  words: string[],
  say: (text: string) => void,
  asking: Asking = {},
): Promise<Said> {
  const reached = await local(input)
  const until = performance.now() + PATIENCE_MS
  for (let waits = false; ; ) {
    const held = await freeLocks(input.account, reached)
    const said = await ask(reached, ['--retry-lock', waits ? '5m' : '1m', ...words], asking)
    if (said.code === 0) return said
    if (said.code !== LOCKED || performance.now() > until) {
      await freeLocks(input.account, reached)
      return said
    }
    const [by] = held
    if (!waits && by) say(`${input.account} is in use by process ${by.pid} of ${by.host}: waits until it ends`)
    waits = true
  }
}

/** Removes the lock that a process of this machine left in a repository on another machine. */
export async function leaveLock(input: Remote, reached: Reached, pid: number): Promise<void> {
  const listed = await ask(reached, ['list', 'locks', '--no-lock'])
  if (listed.code !== 0) throw new Error(`the locks of ${input.account} cannot be read`)
  for (const file of listed.stderr
    .split('\n')
    .filter((line) => /^[0-9a-f]{64}$/.test(line))
    .slice(0, MOST)) {
    const lock = await contentOf(reached, file)
    if (!lock || numberIn(lock, 'pid') !== pid) continue
    if (
      await hasEnded({ host: String(lock.hostname), username: String(lock.username), pid }, reached.as ? owner : 'root')
    )
      await removeRemote(input, file)
  }
}

/** Two machines may have the same name, but maintenance and backups do not run as the same account. */
async function hasEnded(
  { host, username, pid }: Pick<Lock, 'host' | 'username' | 'pid'>,
  as: string,
): Promise<boolean> {
  if (host !== hostname() || username !== as || pid <= 0) return false
  return (await programOf(pid)) !== 'restic'
}

/** The program that a process runs; empty if there is no such process. */
export const programOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim()

let since = Date.now() - performance.now()
let jumpedAt = Number.NEGATIVE_INFINITY
/** Whether the clock of this server has not jumped lately: after a jump, file times are unreliable for a while. */
function isSteady(): boolean {
  const now = Date.now() - performance.now()
  if (Math.abs(now - since) > MINUTE) jumpedAt = performance.now()
  since = now
  return performance.now() - jumpedAt > DEAD_MS
}

async function contentOf(reached: Reached, file: string): Promise<Message | undefined> {
  const { stderr } = await ask(reached, ['cat', 'lock', file, '--no-lock'])
  const at = stderr.indexOf('{')
  try {
    return at < 0 ? undefined : (JSON.parse(stderr.slice(at)) as Message) // restic's own object, over several lines
  } catch {
    return undefined // the lock was removed while it was read
  }
}

/** rest-server lets an account that can only append remove locks. */
const removeRemote = ({ address, port, account, key, certificate, s3 }: Remote, file: string): Promise<unknown> => {
  if (s3) return removeStored({ s3, key }, lockKey({ s3, key }, account, file))
  return new Promise<void>((resolve, reject) => {
    const asked = request(
      {
        ...{ host: address, port, method: 'DELETE', path: `/${account}/locks/${file}` },
        ...{ auth: `${account}:${key}`, ca: certificate, timeout: MINUTE },
      },
      (answer) => {
        answer.resume()
        if (answer.statusCode === 200 || answer.statusCode === 404) resolve()
        else reject(new Error(`rest-server answers ${answer.statusCode} to the removal of a lock`))
      },
    )
    asked.once('timeout', () => asked.destroy(new Error('rest-server does not answer')))
    asked.once('error', reject)
    asked.end()
  })
}
