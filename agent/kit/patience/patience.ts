import { speaker } from './speaker.ts'

/**
 * How long the agent waits. No driver has limits of its own: a slow machine is waited for while anything moves, and only
 * stillness is a fault. Times of stillness are counted in looks, not on the clock, so that they do not pass while the
 * machine or the agent is stopped. Decision 151. Tests change the values.
 */
export const patience = {
  /** Stillness of a program on this machine. */
  stillMs: 120_000,
  /** Stillness of a program that talks to other machines, or that must not be ended halfway. */
  longMs: 1_800_000,
  /** A program that waits for a service which waits for room on a full disk. */
  fullMs: 20_000,
  /** Stillness of a service that does not answer as it should. */
  answerMs: 15_000,
  /** A service that works all this time and still answers wrong. */
  mostMs: 1_800_000,
  /** A live read, whose asker has left by then. */
  readMs: 600_000,
  /** Silence on a connection to a service of this machine, which refuses at once when it is not there. */
  silenceMs: 30_000,
  /** An answer of another machine over the internet. */
  networkMs: 30_000,
  /** Requests that run when a website closes. What remains then is reported. */
  requestsMs: 10_000,
  /** Former processes of a web server, which serve their open connections. What remains is a large download. */
  workersMs: 2000,
  /** What a heartbeat waits for the states of services. */
  beatMs: 2000,
  /** The first look at a program, and the time between two looks. */
  firstMs: 5000,
  lookMs: 2000,
  /** The first line that says for what an operation waits. The next ones come at twice the time. */
  sayMs: 10_000,
}

/** Says in the log of the action for what it waits, again at twice the time. End it with the answered function. */
export function saysStill(what: string | (() => string)): () => void {
  const say = speaker()?.say
  if (!say) return () => {}
  const began = performance.now()
  let timer: NodeJS.Timeout
  const next = (ms: number) => {
    timer = setTimeout(() => {
      say(`${typeof what === 'string' ? what : what()}, ${Math.round((performance.now() - began) / 1000)} s so far`)
      next(ms * 2)
    }, ms).unref()
  }
  next(patience.sayMs)
  return () => clearTimeout(timer)
}

/** Waits, and says for what. */
export async function awaited<T>(what: string | (() => string), wait: Promise<T>): Promise<T> {
  const end = saysStill(what)
  try {
    return await wait
  } finally {
    end()
  }
}
