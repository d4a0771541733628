import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ensureDirectory, killGroup, minimal, places, replace, watch } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { fullWatch } from './full.ts'
import { restic } from './program.ts'
import { guardOf, type Store, s3Args, s3Env } from './s3.ts'

/** The account that owns repositories on a backup server. */
export const owner = 'innkeeper-backup'
export const home = '/srv/innkeeper/backups'
export const repositoryPath = (account: string) => `${home}/${account}`

/** A repository over rest-server, or with `s3` in a bucket. */
export interface Remote {
  address?: string | undefined
  port?: number | undefined
  certificate?: string | undefined
  s3?: Store | undefined
  account: string
  key: string
  password: string
}
/** A repository on this server, or in a bucket that this server looks after. */
export interface Local {
  account: string
  password: string
  s3?: Store | undefined
  key?: string | undefined
}
/** The bucket of a repository; undefined if it is on a backup server. */
export const bucketOf = ({ s3, key }: Pick<Local, 's3' | 'key'>) => (s3 && key !== undefined ? { s3, key } : undefined)
const cache = ['--cache-dir', '/var/cache/innkeeper-backup', '--cleanup-cache']

export interface Reached {
  /** The bucket of the repository; absent if the repository is on a backup server. */
  bucket?: { s3: Store; key: string }
  args: string[]
  env: Record<string, string>
  as?: { uid: number; gid: number }
}

/** A repository over the network. */
export async function remote(to: Remote): Promise<Reached> {
  if (!existsSync(restic)) throw new Error('restic is not installed: the backup program comes first')
  const folder = `${places.state}/backup`
  await ensureDirectory(folder, { mode: 0o700 })
  const bucket = bucketOf(to)
  if (bucket) return { args: [...s3Args(bucket.s3), ...cache], env: remoteEnv(to), bucket }
  const { account, port, certificate = '' } = to
  const trusted = `${folder}/${account}-${port}.pem`
  await replace(trusted, certificate, { mode: 0o600 })
  return {
    args: ['--cacert', trusted, ...cache],
    env: remoteEnv(to),
  }
}

/** Passwords are in the environment of restic's process, not in its arguments. */
export function remoteEnv({ address, port, account, key, password, s3 }: Remote): Record<string, string> {
  if (s3) return { ...s3Env({ s3, key }, account), RESTIC_PASSWORD: password, RESTIC_PROGRESS_FPS: '0.5' }
  if (!address || !port) throw new Error(`the address or port of the backup server for ${account} is missing`)
  const host = address.includes(':') ? `[${address}]` : address
  return {
    RESTIC_REPOSITORY: `rest:https://${host}:${port}/${account}/`,
    RESTIC_REST_USERNAME: account,
    RESTIC_REST_PASSWORD: key,
    RESTIC_PASSWORD: password,
    RESTIC_PROGRESS_FPS: '0.5',
  }
}

/** A repository on this backup server, opened as its owner: only this way snapshots can be removed. */
export async function local({ account, password, ...where }: Local): Promise<Reached> {
  const bucket = bucketOf(where)
  if (bucket) return remote({ ...bucket, account, password })
  if (!existsSync(restic)) throw new Error('restic is not installed: the backup program comes first')
  const { uid, gid } = await ownerAccount()
  return {
    args: ['--no-cache'],
    env: {
      RESTIC_REPOSITORY: repositoryPath(account),
      RESTIC_PASSWORD: password,
      HOME: home,
      RESTIC_PROGRESS_FPS: '0.5',
    },
    as: { uid, gid },
  }
}

export async function ownerAccount(): Promise<Account> {
  const account = await accountOf(owner)
  if (!account) throw new Error('this machine is no backup server')
  return account
}

export interface Said {
  code: number
  /** The JSON messages of restic, without progress. */
  messages: Message[]
  stderr: string
  /** restic was ended because the repository has no room. */
  isFull?: boolean
}
export type Message = Record<string, unknown>

export interface Asking {
  /** Called for each progress message. */
  progress?: (message: Message) => void
  /** Receives standard output instead of `messages`. */
  to?: Writable
  /** Runs instead of restic itself, which follows as its arguments. */
  within?: { argv: readonly [string, ...string[]]; fd?: number }
  /** Ends restic early. */
  stop?: AbortSignal
  /** Called with the id of the process. */
  began?: (pid: number) => void
}

/** Runs restic and returns its messages and exit code. Does not throw on a bad exit code. */
export async function ask(reached: Reached, words: string[], asking: Asking = {}): Promise<Said> {
  const guard = reached.bucket && (await guardOf(reached.bucket.s3))
  try {
    return await started({ ...reached, env: { ...reached.env, ...guard?.env } }, words, asking)
  } finally {
    guard?.end()
  }
}

async function started({ args, env, as }: Reached, words: string[], asking: Asking): Promise<Said> {
  const { progress, to, within, stop, began } = asking
  const argv = [...(within?.argv ?? []), restic, ...args, ...words]
  const child = spawn(argv[0] ?? restic, argv.slice(1), {
    cwd: '/',
    env: { ...minimal, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(within?.fd === undefined ? [] : [within.fd])],
    detached: true,
    ...as,
  })
  if (child.pid !== undefined) began?.(child.pid)
  const end = () => killGroup(child.pid)
  stop?.addEventListener('abort', end)
  const room = fullWatch(end)
  const texts: string[] = []
  const watched = watch({ argv: [restic, ...words], pid: child.pid, long: true }, (reason) => {
    texts.push(reason)
    end()
  })
  const messages: Message[] = []
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('restic has no output')
  const take = (line: string) => {
    room.see(line)
    const message = read(line)
    if (!message) return void (line && texts.length < 200 && texts.push(line))
    if (message.message_type === 'status' || message.message_type === 'verbose_status') progress?.(message)
    else if (messages.length < 200_000) messages.push(message)
  }
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? KILLED))
  })
  const out = to ? pipeline(stdout, to) : byLine(stdout, take)
  const [written, , code] = await Promise.allSettled([out, byLine(stderr, take), ended])
  watched.end()
  room.end()
  stop?.removeEventListener('abort', end)
  if (code.status === 'rejected') throw code.reason
  if (written.status === 'rejected') throw written.reason
  return { code: code.value, messages, stderr: texts.join('\n').slice(-2000), isFull: room.isFull() }
}

async function byLine(stream: NodeJS.ReadableStream, take: (line: string) => void): Promise<void> {
  let rest = ''
  for await (const part of stream) {
    const lines = (rest + String(part)).split('\n')
    rest = (lines.pop() ?? '').slice(-1_000_000)
    for (const line of lines) take(line)
  }
  if (rest) take(rest)
}

function read(line: string): Message | undefined {
  if (!line.startsWith('{') && !line.startsWith('[')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : { list: value }
  } catch {
    return undefined // a line of text that looks like JSON
  }
}

/** Instead of an exit code, of a process that was killed. */
const KILLED = 128
/** What restic's exit codes mean. */
const meanings: Record<number, string> = {
  [KILLED]: 'the process was killed, by a person or for lack of memory',
  10: 'the repository does not exist',
  11: 'the repository is locked by another process of restic',
  12: 'the password of the repository is wrong',
  130: 'restic was interrupted',
}

const FULL = 'the repository has no room: the disk of its backup server, or the bucket, is full'

/** Why restic failed, in one line. */
export function whyOf({ code, messages, stderr, isFull }: Said): string {
  if (isFull) return FULL
  const fatal = messages.findLast((one) => one.message_type === 'exit_error')?.message
  const text = [
    meanings[code],
    typeof fatal === 'string' ? fatal : stderr.split('\n').filter(Boolean).slice(-3).join(' '),
  ]
    .filter(Boolean)
    .join(': ')
  return `restic ended with ${code}: ${text}`.slice(0, 1500)
}

/** Runs restic, and throws unless it succeeds. */
export async function must(reached: Reached, words: string[], asking: Asking = {}): Promise<Said> {
  const said = await ask(reached, words, asking)
  if (said.code !== 0) throw new Error(whyOf(said))
  return said
}

export const messageOf = (said: Said, type: string): Message | undefined =>
  said.messages.findLast((one) => one.message_type === type)
export const numberIn = (message: Message | undefined, key: string): number => {
  const value = message?.[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
/** The first JSON list or the objects that restic printed one by one. */
export const listOf = (said: Said): Message[] => {
  const list = said.messages.find((one) => Array.isArray(one.list))?.list
  return (Array.isArray(list) ? list : []).filter((one): one is Message => typeof one === 'object' && one !== null)
}
