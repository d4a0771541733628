import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { killGroup, minimal } from '../kit/host.ts'
import { client, type modes } from './rsync.ts'
import { firstLine, open, type Peer } from './wire.ts'

export interface Pulled {
  /** All that the source has, and what came over now. */
  files: number
  bytes: number
  copied: number
  copiedBytes: number
  /** Lines of a dry run: each names one thing that differs. */
  differences: string[]
}
interface Pull {
  peer: Peer
  mode: keyof typeof modes
  from: { username: string; path: string }
  /** Where it goes, and as whom it is written. */
  path: string
  account: { uid: number; gid: number }
  say(text: string): void
}
const SAY_MS = 2000
/** What rsync says when its peer is suddenly gone. */
const ENDED_EARLY = 12

/** The other end went away, or is not there yet: its agent may have started again, and serves on in a moment. */
export class Lost extends Error {}

/**
 * Runs rsync as the account, with this process as its transport. Throws with what rsync says, and with the network's
 * words where the connection is the reason. Whatever it leaves half done the next one goes on with.
 */
export async function pull({ peer, mode, from, path, account, say }: Pull): Promise<Pulled> {
  const [program, ...args] = client(mode, path)
  const pipes = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const
  const child = spawn(program, args, { cwd: '/', env: minimal, stdio: [...pipes], detached: true, ...account })
  const [, out, errors, down, up] = child.stdio as [null, Readable, Readable, Writable, Readable] // as `pipes` says
  let socket: TLSSocket | undefined
  let lost: Error | undefined
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 128))
  })
  ended.catch(() => {}) // rsync is not there: `await ended` below says so
  const breakOff = (error: Error) => {
    lost ??= error
    killGroup(child.pid)
  }
  const said = progress(say)
  out.on('data', said.hear)
  const complaints: Buffer[] = []
  errors.on('data', (part: Buffer) => complaints.length < 100 && complaints.push(part))
  down.on('error', () => {}) // rsync ended first: its code says why
  const connected = firstLine(up)
    .then((rsync) => open(peer, { ...from, rsync }))
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
  if (code !== 0 && !(mode === 'seed' && isAlive(code, complaint)))
    throw new Error(`rsync ended with ${code}${complaint && `: ${complaint}`}`)
  return said.result()
}

/** What rsync says of files that came, went and were written while it read them: the delta brings what they are then. */
const living = [
  /^(file|directory) has vanished: /,
  /^rsync: \[(sender|generator|receiver)\] (?!change_dir).*: (No such file or directory \(2\)|No data available \(61\))$/,
  /^(WARNING|ERROR): .* failed verification -- update /,
  /^rsync (error|warning): some files/,
  /^IO error encountered -- skipping file deletion$/,
]
/** Nobody has stopped its visitors yet: that its files are not still is no failure. See rsync(1) for the codes. */
const isAlive = (code: number, complaint: string) =>
  (code === 23 || code === 24) &&
  complaint
    .split('\n')
    .filter(Boolean)
    .every((line) => living.some((one) => one.test(line)))

/** Of the network; a key that the other end refuses is refused again. */
function isAway({ cause }: Error): boolean {
  return !(cause instanceof Error && 'code' in cause && String(cause.code).startsWith('ERR_'))
}

/** Reads rsync's own words: figures that change in place, names that differ, totals at the end. */
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
