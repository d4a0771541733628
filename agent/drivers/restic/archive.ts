import { spawn } from 'node:child_process'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { killGroup, minimal } from '../../kit/host.ts'
import { local } from './ask.ts'
import { restic } from './program.ts'
import { guardOf } from './s3.ts'

/** Bytes of one answer: the output of an operation has 256 KiB, and base64 adds a third. */
const PIECE = 190_000
/** The reader asks for several pieces at once, because each answer takes a while on its way. */
const KEPT = 8
const MOST_SESSIONS = 4
/** A session ends after this time without a read, in ms. */
const IDLE_MS = 60_000

interface Piece {
  data: string
  end: boolean
}
interface Session {
  key: string
  pieces: AsyncIterator<Piece>
  /** The last `KEPT` pieces by number, because a request may be repeated or overtaken by another request. */
  read: Map<number, Piece>
  /** Number of pieces that were read. */
  count: number
  /** The last piece was read. */
  whole: boolean
  /** Reads of this session, one after another. */
  turn: Promise<void>
  pid: number | undefined
  timer: NodeJS.Timeout | undefined
}
const sessions = new Map<string, Session>()

/** A file or an archive of a snapshot, piece by piece. restic waits for the reader: the memory stays flat. */
export const readArchive: Driver<'backup-archive.read'> = {
  async run({ input }) {
    const session = sessions.get(input.session) ?? (await open(input))
    if (session.key !== keyOf(input)) throw new Error('this session reads something else')
    clearTimeout(session.timer)
    try {
      if (input.piece >= session.count + KEPT || (input.piece < session.count && !session.read.has(input.piece)))
        throw new Error('the pieces of a download follow each other: begin again')
      session.turn = session.turn.then(() => readTo(session, input.piece))
      await session.turn
      return session.read.get(input.piece) ?? { data: '', end: true }
    } catch (error) {
      end(input.session)
      throw error
    } finally {
      clearTimeout(session.timer) // of a read that ended meanwhile
      if (sessions.has(input.session)) session.timer = setTimeout(() => end(input.session), IDLE_MS)
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no',
}

export const endArchive: Driver<'backup-archive.end'> = {
  run: async ({ input }) => ({ ended: end(input.session) }),
  undo: async () => undefined,
  inspect: async () => 'no',
}

async function readTo(session: Session, piece: number): Promise<void> {
  while (session.count <= piece && !session.whole) {
    const { value } = await session.pieces.next()
    session.read.set(session.count, value)
    session.read.delete(session.count - KEPT)
    session.count += 1
    session.whole = value.end
  }
}

const keyOf = ({ account, snapshot, path, archive }: OperationInput<'backup-archive.read'>) =>
  JSON.stringify([account, snapshot, path, archive])

async function open(input: OperationInput<'backup-archive.read'>): Promise<Session> {
  if (input.piece !== 0) throw new Error('the download was interrupted: begin again')
  if (sessions.size >= MOST_SESSIONS) throw new Error(`${MOST_SESSIONS} downloads are running: wait for one to end`)
  const { args, env, as, bucket } = await local(input)
  const guard = bucket && (await guardOf(bucket.s3))
  const words = ['dump', '--no-lock', '--archive', input.archive, input.snapshot, input.path]
  const child = spawn('ionice', ['-c', '3', 'nice', '-n', '10', restic, ...args, ...words], {
    cwd: '/',
    env: { ...minimal, ...env, ...guard?.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...as,
  })
  const said: string[] = []
  child.stderr.on('data', (part: Buffer) => said.length < 50 && said.push(String(part)))
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 128))
    child.once('close', () => guard?.end())
  })
  ended.catch(() => undefined) // reading the pieces throws the error
  const session: Session = {
    key: keyOf(input),
    pieces: piecesOf(child.stdout, ended, () => said.join('').trim().slice(-500)),
    read: new Map(),
    count: 0,
    whole: false,
    turn: Promise.resolve(),
    pid: child.pid,
    timer: undefined,
  }
  sessions.set(input.session, session)
  return session
}

/** Pieces of equal size. The last piece is marked as the last only after restic has succeeded. */
async function* piecesOf(
  stream: NodeJS.ReadableStream,
  ended: Promise<number>,
  said: () => string,
): AsyncGenerator<Piece, Piece> {
  let held: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    held.push(part as Buffer)
    size += (part as Buffer).length
    while (size >= PIECE) {
      const all = Buffer.concat(held)
      yield { data: all.subarray(0, PIECE).toString('base64'), end: false }
      const rest = all.subarray(PIECE)
      held = [rest]
      size = rest.length
    }
  }
  const code = await ended
  if (code !== 0) throw new Error(`restic ended with ${code}: ${said()}`)
  return { data: Buffer.concat(held).toString('base64'), end: true }
}

function end(name: string): boolean {
  const session = sessions.get(name)
  if (!session) return false
  clearTimeout(session.timer)
  sessions.delete(name)
  killGroup(session.pid)
  return true
}
