import { spawn } from 'node:child_process'
import type { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Watched, watch } from '../patience/watch.ts'
import { gatherEnd, killGroup, minimal } from './run.ts'

interface Flow extends Pick<Watched, 'long' | 'withinMs'> {
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
    from && pipeline([...from, child.stdin]).catch(stop),
    to && pipeline([child.stdout, ...to]).catch(stop),
    ended,
  ])
  watched.end()
  if (late) throw new Error(late)
  const words = said().trim().slice(-2000)
  if (end.status === 'rejected') throw end.reason
  const good = end.value === 0 || accept.includes(end.value)
  if (words && !good) throw new Error(`${program} ended with ${end.value}: ${words}`)
  // Node destroys stdin when the program exits, sometimes before the pipeline has seen the end of the input
  const readToEnd = good && from?.at(-1)?.readableEnded && isPremature(into)
  for (const side of readToEnd ? [out] : [into, out]) if (side.status === 'rejected') throw side.reason
  if (!good) throw new Error(`${program} ended with ${end.value}`)
}

const isPremature = (side: PromiseSettledResult<unknown>) =>
  side.status === 'rejected' && side.reason.code === 'ERR_STREAM_PREMATURE_CLOSE'
