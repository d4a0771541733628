import { spawn } from 'node:child_process'
import type { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Watched, watch } from '../patience/watch.ts'
import { gatherEnd, killGroup, lastSaid, minimal } from './run.ts'

interface Flow extends Pick<Watched, 'long' | 'withinMs' | 'works'> {
  /** The source of standard input, followed by its transforms. */
  from?: readonly [Readable, ...Duplex[]]
  /** The target of standard output, preceded by its transforms. */
  to?: readonly [...Duplex[], Writable]
  /** Runs as this account instead of root. */
  as?: { uid: number; gid: number }
  /** Exit codes besides 0 that mean success. */
  accept?: readonly number[]
}

/**
 * Runs a program by its argv with streams of any size as input and output. Throws on a bad exit code, a failed stream
 * or stillness. A failed stream or stillness kills the process group. The program's own error text takes precedence.
 */
export async function flow(
  argv: readonly [string, ...string[]],
  { from, to, as, accept = [], ...waits }: Flow = {},
): Promise<void> {
  const [program, ...args] = argv
  const child = spawn(program, args, { cwd: '/', env: minimal, stdio: ['pipe', 'pipe', 'pipe'], detached: true, ...as })
  let late: string | undefined
  const watched = watch({ ...waits, argv, pid: child.pid }, (reason) => {
    late = reason
    killGroup(child.pid)
    from?.at(-1)?.destroy()
  })
  const said = gatherEnd(child.stderr)
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 128))
  })
  const stop = (error: unknown) => {
    killGroup(child.pid)
    throw error
  }
  child.stdin.on('error', () => {}) // the program may exit before it has read all input: the exit code decides
  if (!from) child.stdin.end()
  if (!to) child.stdout.resume()
  const [into, out, end] = await Promise.allSettled([
    from && pour(from, child.stdin).catch(stop),
    to && pipeline([child.stdout, ...to]).catch(stop),
    ended,
  ])
  watched.end()
  if (late) throw new Error(late)
  const words = lastSaid(said())
  if (end.status === 'rejected') throw end.reason
  const good = end.value === 0 || accept.includes(end.value)
  if (words && !good) throw new Error(`${program} ended with ${end.value}: ${words}`)
  for (const side of [into, out]) if (side.status === 'rejected') throw side.reason
  if (!good) throw new Error(`${program} ended with ${end.value}`)
}

/**
 * Hands all input to a program. A program may exit as soon as it has the last byte, before the end of the source is seen: that
 * is no failure. One that exits before has failed, whatever its exit code says.
 */
async function pour(from: readonly [Readable, ...Duplex[]], into: Writable): Promise<void> {
  const source = from.at(-1)
  if (!source) return
  const early = new Error('the program ended before it had read its whole input')
  const written = (error?: Error | null) => {
    if (error && !source.readableEnded) source.destroy(early)
  }
  const before = from.length > 1 ? pipeline(from) : undefined
  before?.catch(() => {}) // the loop gets the error
  for await (const part of source) {
    if (into.destroyed) throw early
    if (!into.write(part, written)) await drained(into)
  }
  into.end()
  await before
}

/** Until there is room, or nobody reads any more. */
const drained = (into: Writable): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      into.off('drain', go).off('close', go)
      resolve()
    }
    into.on('drain', go).on('close', go)
    if (into.destroyed) go()
  })
