import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { accountOf } from '../drivers/accounts/systemAccounts.ts'
import { chosenOf, pack } from '../drivers/adopt/pack.ts'
import { mailHome } from '../drivers/mail/mailFiles.ts'
import { absent, ensureDirectory, gather, killGroup, minimal, places } from '../kit/host.ts'
import { log } from '../log.ts'
import { type Opened, opened } from './note.ts'
import { sender } from './rsync.ts'
import { firstLine, terms, Wanted } from './wire.ts'

/** A transfer that this process serves. */
interface Listening {
  server: Server
  note: Opened
  client: TLSSocket | undefined
  timer: NodeJS.Timeout
}
const listening = new Map<string, Listening>()

/**
 * Opens a transfer, or replaces an open one on the same port. Answers the port. This process serves it until
 * `note.until`, and after a restart the next process does.
 */
export async function openTransfer(note: Opened): Promise<number> {
  await close(note.transfer)
  const server = createServer({
    ...terms,
    handshakeTimeout: 10_000,
    pskCallback: (_, identity) => (identity === note.transfer ? Buffer.from(note.token, 'hex') : null),
  })
  server.maxConnections = 16
  const one: Listening = {
    server,
    note,
    client: undefined,
    timer: setTimeout(ended, Math.max(0, note.until - Date.now())),
  }
  function ended(): void {
    closeTransfer(note.transfer).catch((error: unknown) =>
      log('error', 'a transfer could not be closed', { reason: String(error) }),
    )
  }
  server.on('tlsClientError', (error) =>
    log('warn', 'refused at a transfer', { transfer: note.transfer, reason: error.message }),
  )
  server.on('secureConnection', (socket) => {
    // the newest connection replaces the former one, which may have been cut without a close
    one.client?.destroy()
    one.client = socket
    socket.on('error', () => socket.destroy())
    serve(note, socket).catch((error: unknown) => {
      log('warn', 'a transfer was broken off', { transfer: note.transfer, reason: String(error) })
      socket.destroy()
    })
  })
  const port = await listen(server, note.port)
  listening.set(note.transfer, one)
  one.note = { ...note, port }
  await opened.keep(one.note)
  return port
}

/** Listens on the given port, or on a free one if the port is taken. */
function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && port !== 0) resolve(listen(server, 0))
      else reject(error)
    }
    server.once('error', fail)
    server.listen(port, () => {
      server.off('error', fail)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** Stops serving a transfer. Answers whether it was open. */
export async function closeTransfer(transfer: string): Promise<boolean> {
  await close(transfer)
  return opened.drop(transfer)
}

async function close(transfer: string): Promise<void> {
  const one = listening.get(transfer)
  if (!one) return
  listening.delete(transfer)
  clearTimeout(one.timer)
  one.client?.destroy()
  await new Promise((resolve) => one.server.close(resolve))
}

/** Serves the open transfers again after a restart, and drops those past their time. Called once at start. */
export async function resumeTransfers(now = Date.now()): Promise<number> {
  let count = 0
  for (const note of await opened.all())
    if (note.until <= now) await opened.drop(note.transfer)
    else {
      await openTransfer(note)
      count++
    }
  return count
}

async function serve(note: Opened, socket: TLSSocket): Promise<void> {
  const wanted = Wanted.parse(JSON.parse(await firstLine(socket)))
  log('info', 'a transfer is read', { transfer: note.transfer, from: socket.remoteAddress ?? 'nowhere any more' })
  if ('file' in wanted) return sendFile(note, wanted.file, socket)
  if ('pack' in wanted) return sendPacked(note, socket)
  if ('clock' in wanted) return void socket.end(String(Date.now()))
  if ('mailboxId' in wanted) return sendMail(note, wanted, socket)
  const folder = note.folders.find(({ username, path }) => username === wanted.username && path === wanted.path)
  if (!folder) throw new Error('the request does not match an opened folder')
  const account = await accountOf(folder.username)
  if (!account || !folder.path.startsWith(`${account.home}/`))
    throw new Error(`${folder.username} has no ${folder.path}`)
  const { uid, gid } = account
  const list =
    wanted.since === undefined ? undefined : await listFor(uid, await changedSince(folder.path, wanted.since, account))
  try {
    const argv = sender(wanted.rsync, folder.path, list)
    if (!argv) throw new Error('the request does not match our rsync')
    const [program, ...args] = argv
    const child = spawn(program, args, {
      cwd: '/',
      env: minimal,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      uid,
      gid,
    })
    await joined(child, socket)
  } finally {
    if (list) await rm(list, { force: true })
  }
}

/** The mail of a domain, as the account of all mail. */
async function sendMail(
  { mail = [] }: Opened,
  { mailboxId, rsync }: Extract<Wanted, { mailboxId: number }>,
  socket: TLSSocket,
): Promise<void> {
  const account = await accountOf('vmail')
  const argv = mail.includes(mailboxId) ? sender(rsync, `${mailHome}/${mailboxId}`) : undefined
  if (!argv || !account) throw new Error('the request does not match opened mail')
  const [program, ...args] = argv
  // a domain without mail has no folder yet
  await ensureDirectory(`${mailHome}/${mailboxId}`, { mode: 0o700, owner: account })
  const { uid, gid } = account
  const how = { cwd: '/', env: minimal, detached: true, uid, gid }
  await joined(spawn(program, args, { ...how, stdio: ['pipe', 'pipe', 'pipe'] }), socket)
}

/** Writes the list to a file that the account may read, because rsync cannot read the list from a pipe. */
async function listFor(uid: number, content: Buffer): Promise<string> {
  const path = `/run/innkeeper-list-${randomBytes(16).toString('hex')}`
  const handle = await open(path, 'wx', 0o400)
  try {
    await handle.writeFile(content)
    await handle.chown(uid, -1)
  } finally {
    await handle.close()
  }
  return path
}

/**
 * Names of the files below a folder that changed after a time, as bytes, each followed by a zero byte. Uses the change
 * time of the inode, which an account cannot set back.
 */
async function changedSince(path: string, since: number, as: { uid: number; gid: number }): Promise<Buffer> {
  const seconds = (since / 1000).toFixed(3)
  const child = spawn('find', [path, '-type', 'f', '-newerct', `@${seconds}`, '-printf', '%P\\0'], {
    cwd: '/',
    env: minimal,
    stdio: ['ignore', 'pipe', 'pipe'],
    uid: as.uid,
    gid: as.gid,
  })
  const complaint = gather(child.stderr)
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  const code = await new Promise<number>((resolve, reject) =>
    child.once('error', reject).once('close', (ended) => resolve(ended ?? 128)),
  )
  // a folder that vanishes meanwhile is missed by the comparison of names, which follows
  const real = complaint()
    .split('\n')
    .filter((line) => line && !line.endsWith('No such file or directory'))
  if (code !== 0 && real.length) throw new Error(`find ended with ${code}: ${real[0]?.slice(0, 300)}`)
  return Buffer.concat(parts)
}

/** Connects rsync and the socket in both directions. The end of one ends the other. */
async function joined(child: ChildProcess, socket: TLSSocket): Promise<void> {
  const { stdin, stdout, stderr } = child
  if (!stdin || !stdout || !stderr) throw new Error('rsync has no pipes') // requested as pipes above
  stderr.resume() // rsync's own protocol carries the messages to the other end
  socket.once('close', () => child.exitCode === null && killGroup(child.pid))
  const ended = new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()))
  stdin.on('error', () => {}) // rsync exits before it has read the peer's last message
  socket.pipe(stdin)
  await Promise.all([pipeline(stdout, socket), ended])
}

async function sendPacked({ chosen }: Opened, socket: TLSSocket): Promise<void> {
  if (!chosen) throw new Error('the request names an archive that was not opened')
  await pack(await chosenOf(chosen), socket)
  socket.end()
}

async function sendFile({ files }: Opened, file: string, socket: TLSSocket): Promise<void> {
  if (!files.includes(file)) throw new Error('the request names a file that was not opened')
  const handle = await open(`${places.spool}/${file}`, constants.O_RDONLY | constants.O_NOFOLLOW).catch(absent)
  if (!handle) throw new Error(`${file} is not in the spool folder`)
  await pipeline(handle.createReadStream(), socket)
}
