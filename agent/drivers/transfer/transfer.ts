import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { absent, ensureDirectory, must, places, putInPlace, remove } from '../../kit/host.ts'
import { clockOf, Lost, pull } from '../../transfer/destination.ts'
import { opened } from '../../transfer/note.ts'
import type { modes } from '../../transfer/rsync.ts'
import { closeTransfer, openTransfer } from '../../transfer/source.ts'
import { open as connect } from '../../transfer/wire.ts'
import { type Account, accountOf } from '../accounts/systemAccounts.ts'

/** Opens the source of a transfer, which another server reads. */
export const openFor: Driver<'transfer.open'> = {
  async run({ input: { minutes, ...input }, say, fence }) {
    for (const { username, path } of input.folders) await ownFolder(username, path)
    const before = await opened.find(input.transfer)
    fence()
    const port = await openTransfer({ ...input, port: before?.port ?? 0, until: Date.now() + minutes * 60_000 })
    say(`open on port ${port} for ${minutes} minutes`)
    return { port }
  },
  async undo({ input: { transfer }, say }) {
    say((await closeTransfer(transfer)) ? `${transfer} is closed` : `${transfer} was closed already`)
  },
  /** A repeated run answers the port again, which the other server needs. */
  inspect: async ({ input: { transfer }, task }) => (task === 'undo' && !(await opened.find(transfer)) ? 'yes' : 'no'),
}

export const close: Driver<'transfer.close'> = {
  async run({ input: { transfer, clear }, say, fence }) {
    say((await closeTransfer(transfer)) ? `${transfer} is closed` : `${transfer} was closed already`)
    if (!clear) return
    const files = await spent(transfer)
    fence()
    for (const file of files) await remove(`${places.spool}/${file}`)
    if (files.length) say(`${files.length} spool files of ${transfer} are deleted`)
  },
  undo: async ({ say }) => say('the transfer stays closed: a new action has to open it'),
  async inspect({ input: { transfer, clear }, task }) {
    if (task === 'undo') return 'yes'
    return (await opened.find(transfer)) || (clear && (await spent(transfer)).length) ? 'no' : 'yes'
  },
}

/** Spool files of a transfer that is over. Cron jobs stay: a server without cron keeps them there for people. */
const spent = async (transfer: string): Promise<string[]> =>
  ((await readdir(places.spool).catch(absent)) ?? []).filter(
    (name) => name.startsWith(`${transfer}-`) && !name.endsWith('.cron.gz'),
  )

/** Copies a folder from another server. A retry continues where the last attempt stopped. */
export const pullFolder: Driver<'transfer.pull'> = {
  async run({ input, say, fence }) {
    const account = await ownFolder(input.username, input.path)
    fence()
    const { from, path, untouchedSince } = input
    const touched = untouchedSince === undefined ? undefined : await firstTouched(path, untouchedSince, account)
    if (touched) say(`${touched} was written here since the comparison: all checksums are compared`)
    const mode = touched && input.mode === 'delta' ? 'mend' : input.mode
    const { differences: _, ...pulled } = await patiently(say, fence, () =>
      pull({ peer: input, mode, from, path, account, say }),
    )
    // flush to disk before the action reports success
    await must(['sync', '--file-system', '--', path], { as: account })
    say(`${pulled.copied} of ${pulled.files} files copied, ${pulled.copiedBytes} of ${pulled.bytes} bytes`)
    return pulled
  },
  undo: async ({ input: { path }, say }) => say(`${path} goes with the folder that it was copied into`),
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** Margin in ms: file times lag behind the clock of the machine by up to one tick. */
const TICK_MS = 2000

/** Compares and repairs every file before the freeze, so that the freeze compares only files that changed since. */
export const compareFolder: Driver<'transfer.compare'> = {
  async run({ input, say, fence }) {
    const account = await ownFolder(input.username, input.path)
    const since = (await patiently(say, fence, () => clockOf(input))) - TICK_MS
    fence()
    const { differences: _, ...compared } = await patiently(say, fence, () =>
      pull({ ...input, peer: input, mode: 'compare', account, say }),
    )
    await must(['sync', '--file-system', '--', input.path], { as: account })
    say(`${compared.files} files, ${compared.bytes} bytes by checksum; ${compared.copied} files copied again`)
    return { ...compared, since, here: Date.now() }
  },
  undo: async () => undefined,
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** The destination compares all files with the source. */
export const verifyFolder: Driver<'transfer.verify'> = {
  async run({ input, say, fence }) {
    const account = await ownFolder(input.username, input.path)
    const go = (mode: keyof typeof modes, since?: number) =>
      patiently(say, fence, () => pull({ ...input, peer: input, mode, account, since, say }))
    const look = async () => {
      if (input.since === undefined) return go('verify')
      const contents = await go('verifyListed', input.since)
      const names = await go('verifyNames') // last: a listed file may have vanished
      return { ...names, differences: [...contents.differences, ...names.differences] }
    }
    let { differences, files, bytes } = await look()
    if (differences.length) {
      // a cron job or a session of the account wrote after the last copy
      say(`${differences.length} files differ, such as ${differences.slice(0, 5).join(' · ')}: copying them again`)
      if (input.since === undefined) await go('mend')
      else {
        await go('mendListed', input.since)
        await go('delta')
      }
      ;({ differences, files, bytes } = await look())
    }
    if (differences.length)
      throw new Error(`${differences.length} files differ, such as ${differences.slice(0, 5).join(' · ')}`)
    say(`${files} files, ${bytes} bytes: all the same on both servers`)
    return { files, bytes, differences: 0 }
  },
  undo: async () => undefined,
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** Copies a dump; the file appears only when it is complete. */
export const fetchFile: Driver<'transfer.fetch'> = {
  async run({ input, say, fence }) {
    const { file, sha256 } = input
    await ensureDirectory(places.spool, { mode: 0o700 })
    const path = spooled(file)
    fence()
    const socket = await connect(input, { file })
    const hash = createHash('sha256')
    let bytes = 0
    const hashing = new Transform({
      transform(part: Buffer, _, done) {
        hash.update(part)
        bytes += part.length
        done(null, part)
      },
    })
    await rm(`${path}.part`, { force: true })
    await pipeline(socket, hashing, createWriteStream(`${path}.part`, { flags: 'wx', mode: 0o600, flush: true }))
    if (hash.digest('hex') !== sha256) {
      await rm(`${path}.part`, { force: true })
      throw new Error(`${file} arrived with ${bytes} bytes and the wrong checksum: retry`)
    }
    await putInPlace(`${path}.part`, path)
    say(`${file}: ${bytes} bytes, as dumped`)
    return { bytes, sha256 }
  },
  async undo({ input: { file }, say }) {
    say((await remove(spooled(file))) ? `${file} is deleted here` : `${file} was not here`)
  },
  inspect: async ({ input: { file }, task }) =>
    task === 'undo' && !(await lstat(spooled(file)).catch(absent)) ? 'yes' : 'no',
}

/** The first file below a folder whose inode changed after a time; undefined if there is none. */
async function firstTouched(path: string, since: number, as: Account): Promise<string | undefined> {
  const after = `@${(since / 1000).toFixed(3)}`
  const found = await must(['find', path, '-type', 'f', '-newerct', after, '-printf', '%P\\n', '-quit'], {
    as,
  })
  return found.split('\n')[0] || undefined
}

/** Seconds between retries: an agent restarts within a few seconds. */
const pauses = [1, 2, 4, 8]

/** Retries when the connection to the other server is lost; rethrows other errors. */
export async function patiently<T>(say: (text: string) => void, fence: () => void, work: () => Promise<T>): Promise<T> {
  for (const seconds of pauses)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      say(`${error.message.slice(0, 300)}; retry in ${seconds} s`)
      await sleep(seconds * 1000)
      fence()
    }
  return work()
}

const spooled = (file: OperationInput<'transfer.fetch'>['file']) => `${places.spool}/${file}`

/** The account, if the folder is in its home. */
async function ownFolder(username: string, path: string): Promise<Account> {
  const account = await accountOf(username)
  if (!account) throw new Error(`${username} has no account on this server`)
  if (account.home !== `/home/${username}` || !path.startsWith(`${account.home}/`))
    throw new Error(`${path} is not below the home of ${username}`)
  return account
}
