import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { killGroup, minimal } from '../kit/host.ts'
import { client, mailOnly, type modes } from './rsync.ts'
import { firstLine, open, type Peer } from './wire.ts'

export interface Pulled {
  /** Totals of the source, and what was copied now. */
  files: number
  bytes: number
  copied: number
  copiedBytes: number
  /** Lines of a dry run, one per difference. */
  differences: string[]
}
interface Pull {
  peer: Peer
  mode: keyof typeof modes
  from: { username: string; path: string } | { mailboxId: number }
  /** For the modes that compare listed files: lists files that changed after this time of the source's clock. */
  since?: number
  /** The target folder, and the account that writes it. */
  path: string
  account: { uid: number; gid: number }
  say(text: string): void
}
const SAY_MS = 2000
/** rsync's exit code when its peer disappears. */
const ENDED_EARLY = 12

/** The connection to the source is lost, or not there yet. The source's agent may be restarting, so a retry helps. */
export class Lost extends Error {}

/**
 * Runs rsync as the account, with this process as its transport. Throws with rsync's message, or the network error if
 * the connection failed. A retry continues a partial copy.
 */
export async function pull({ peer, mode, from, path, account, since, say }: Pull): Promise<Pulled> {
  const [program, ...args] = client(mode, path, 'mailboxId' in from ? mailOnly : [])
  const pipes = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const
  const child = spawn(program, args, { cwd: '/', env: minimal, stdio: [...pipes], detached: true, ...account })
  // the order of `pipes`
  const [, out, errors, down, up] = child.stdio as [null, Readable, Readable, Writable, Readable]
  let socket: TLSSocket | undefined
  let lost: Error | undefined
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 128))
  })
  ended.catch(() => {}) // rsync cannot start: `await ended` below throws
  const breakOff = (error: Error) => {
    lost ??= error
    killGroup(child.pid)
  }
  const said = progress(say)
  out.on('data', said.hear)
  const complaints: Buffer[] = []
  errors.on('data', (part: Buffer) => complaints.length < 100 && complaints.push(part))
  down.on('error', () => {}) // rsync ended first: its exit code tells why
  const connected = firstLine(up)
    .then((rsync) => open(peer, { ...from, rsync, ...(since !== undefined && { since }) }))
    .then((made) => {
      socket = made
      made.on('error', breakOff)
      made.pipe(down)
      up.pipe(made)
    })
    .catch(breakOff)
  const code = await ended
  socket?.destroy()
  await connected
  const complaint = Buffer.concat(complaints).toString().trim().slice(-2000)
  if (lost && !isAway(lost)) throw lost
  if (lost || code === ENDED_EARLY) throw new Lost(lost?.message ?? complaint)
  if (code !== 0 && !(living.has(mode) && isAlive(code, complaint)))
    throw new Error(`rsync ended with ${code}${complaint && `: ${complaint}`}`)
  return said.result()
}

/**
 * Modes that tolerate vanished files: the modes before the freeze, and the modes for listed files, because all names
 * are compared afterwards.
 */
const living = new Set<keyof typeof modes>(['seed', 'compare', 'verifyListed', 'mendListed'])
/** rsync's messages about files that appear, disappear or change during the copy: the delta copies them again. */
const vanishing = [
  /^(file|directory) has vanished: /,
  /^rsync: \[(sender|generator|receiver)\] (?!change_dir).*: (No such file or directory \(2\)|No data available \(61\))$/,
  /^(WARNING|ERROR): .* failed verification -- update /,
  /^rsync (error|warning): some files/,
  /^IO error encountered -- skipping file deletion$/,
]
/** Whether rsync only failed because visitors still change files, before the freeze. See rsync(1) for the codes. */
const isAlive = (code: number, complaint: string) =>
  (code === 23 || code === 24) &&
  complaint
    .split('\n')
    .filter(Boolean)
    .every((line) => vanishing.some((one) => one.test(line)))

/** The time of the source's clock, in ms. */
export async function clockOf(peer: Peer): Promise<number> {
  const socket = await open(peer, { clock: true }).catch((error: Error) => {
    throw isAway(error) ? new Lost(error.message) : error
  })
  let text = ''
  try {
    for await (const part of socket) text += String(part)
  } catch (error) {
    throw new Lost(String(error))
  }
  if (!/^\d{13}$/.test(text)) throw new Lost('the source did not tell its time')
  return Number(text)
}

/** Whether the network failed; errors of TLS, such as a wrong key, would repeat. */
function isAway({ cause }: Error): boolean {
  return !(cause instanceof Error && 'code' in cause && String(cause.code).startsWith('ERR_'))
}

/** Parses rsync's output: progress lines, differing names, totals at the end. */
function progress(say: (text: string) => void): { hear(part: Buffer): void; result(): Pulled } {
  const figures = new Map<string, number>()
  const differences: string[] = []
  let rest = ''
  let last = 0
  const line = (text: string) => {
    const [, bytes, percent, speed] = text.match(/^\s*(\d+)\s+(\d+%)\s+(\S+)/) ?? []
    if (bytes) {
      if (performance.now() - last < SAY_MS) return
      last = performance.now()
      return say(`${bytes} bytes, ${percent}, ${speed}`)
    }
    const [, key, value] = text.match(/^([A-Z][A-Za-z ]+): (\d+)/) ?? []
    if (key) figures.set(key, Number(value))
    else if (/^(\*deleting|[<>ch.][fdLDS][^ ]{9}) /.test(text) && differences.length < 200) differences.push(text)
  }
  return {
    hear(part) {
      const lines = (rest + part.toString('latin1')).split(/[\r\n]/)
      rest = (lines.pop() ?? '').slice(-65_536)
      for (const one of lines) line(one)
    },
    result: () => ({
      files: figures.get('Number of files') ?? 0,
      bytes: figures.get('Total file size') ?? 0,
      copied: figures.get('Number of regular files transferred') ?? 0,
      copiedBytes: figures.get('Total transferred file size') ?? 0,
      differences,
    }),
  }
}
