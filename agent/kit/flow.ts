import { spawn } from 'node:child_process'
import type { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gather, killGroup, minimal } from './run.ts'

interface Flow {
  /** Read into its standard input, through what follows. */
  from?: readonly [Readable, ...Duplex[]]
  /** Where its standard output goes, through what comes before. */
  to?: readonly [...Duplex[], Writable]
  timeoutMs: number
  /** Runs as this account instead of root. */
  as?: { uid: number; gid: number }
  /** Codes besides 0 that are no failure. */
  accept?: readonly number[]
}

/**
 * Runs a program by its argv with a stream of any size at its ends. It has failed when it says so, when one of the
 * streams fails, or when it takes too long; then it is ended with all that it started. Throws with its own words first.
 */
export async function flow(
  argv: readonly [string, ...string[]],
  { from, to, timeoutMs, as, accept = [] }: Flow,
): Promise<void> {
  const [program, ...args] = argv
  const child = spawn(program, args, { cwd: '/', env: minimal, stdio: ['pipe', 'pipe', 'pipe'], detached: true, ...as })
  let late = false
  const timer = setTimeout(() => {
    late = true
    killGroup(child.pid)
  }, timeoutMs)
  const said = gather(child.stderr)
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 128))
  })
  const stop = (error: unknown) => {
    killGroup(child.pid)
    throw error
  }
  child.stdin.on('error', () => {}) // it may end before it has read its input: its code tells
  if (!from) child.stdin.end()
  if (!to) child.stdout.resume()
  const [into, out, end] = await Promise.allSettled([
    from && pipeline([...from, child.stdin]).catch(stop),
    to && pipeline([child.stdout, ...to]).catch(stop),
    ended,
  ])
  clearTimeout(timer)
  if (late) throw new Error(`${program} took longer than ${timeoutMs / 1000} s and was ended`)
  const words = said().trim().slice(-2000)
  if (end.status === 'rejected') throw end.reason
  const good = end.value === 0 || accept.includes(end.value)
  if (words && !good) throw new Error(`${program} ended with ${end.value}: ${words}`)
  // Node takes the pipe away when the program ends, at times before it has heard that the last of the input went through
  const readToEnd = good && from?.at(-1)?.readableEnded && isPremature(into)
  for (const side of readToEnd ? [out] : [into, out]) if (side.status === 'rejected') throw side.reason
  if (!good) throw new Error(`${program} ended with ${end.value}`)
}

const isPremature = (side: PromiseSettledResult<unknown>) =>
  side.status === 'rejected' && side.reason.code === 'ERR_STREAM_PREMATURE_CLOSE'
