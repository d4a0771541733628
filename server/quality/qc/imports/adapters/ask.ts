import { NotReached } from '../../../../kit/outgoing/notReached.ts'
import type { Reach } from '../../../../kit/outgoing/reach.ts'
import { type Answer, type Asked, send } from '../../../../kit/outgoing/send.ts'
import type { Lane } from './lane.ts'

/**
 * Milliseconds for the first attempt; each further one may take twice as long. Attempts while a help desk is busy or late,
 * and milliseconds of the first pause between them.
 */
export const limits = { patience: 30_000, tries: 4, pause: 1000 }
/** Maximum number of bytes of one answer. */
const MOST = 64 * 2 ** 20

export class NotAnswered extends Error {
  /** True: the help desk said nothing at all, so that further requests would wait in vain, too. */
  isSilent = false
}

interface Request {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

/**
 * Requests JSON from a help desk. Waits and retries when the help desk limits the rate or does not answer in time, and
 * never follows a redirection. `heard` is called with the time of the help desk's clock. Each attempt takes a place of the lane
 * of its own: otherwise all requests that were late together would come together again.
 */
export async function ask(
  reach: Reach,
  { url, ...request }: Request,
  { lane, heard }: { lane: Lane; heard?: (clock: Date) => void },
): Promise<unknown> {
  const asked = { ...request, url: new URL(url), mostBytes: MOST }
  for (let n = 1; ; n++) {
    const patienceMs = limits.patience * 2 ** (n - 1)
    const answer = await lane.run(() => {
      if (lane.isSilent()) throw silence('no longer answers')
      return attempt(reach, { ...asked, patienceMs }, n)
    })
    if (!answer) {
      // a help desk that cannot keep up gets fewer requests at a time, as one that says so
      lane.slow(pauseOf(null, n))
      continue
    }
    const { status, headers } = answer
    if (status >= 200 && status < 300) {
      const clock = new Date(headers.date ?? '')
      if (!Number.isNaN(clock.getTime())) heard?.(clock)
      return jsonOf(answer)
    }
    const isBusy = status === 429 || status === 503
    if (!isBusy || n >= limits.tries) throw new NotAnswered(`answered ${status}`)
    lane.slow(pauseOf(headers['retry-after'] ?? null, n))
  }
}

/** An answer; undefined for a late one, if another attempt is left. */
async function attempt(reach: Reach, asked: Asked, n: number): Promise<Answer | undefined> {
  try {
    return await send(reach, asked)
  } catch (error) {
    if (!(error instanceof NotReached)) throw error
    if (error.isLate && n < limits.tries - 1) return undefined
    throw silence(error.message)
  }
}

function silence(why: string): NotAnswered {
  const error = new NotAnswered(why)
  error.isSilent = true
  return error
}

/**
 * Milliseconds to wait: as the help desk requests (`asked`), at most 20 s; without a request longer after each attempt.
 */
function pauseOf(asked: string | null, n: number): number {
  const ms = asked !== null && /^\d+$/.test(asked) ? Number(asked) * 1000 : (2 ** n / 2) * limits.pause
  return Math.min(ms, 20_000)
}

function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotAnswered(new NotReached(text).message)
  }
}
