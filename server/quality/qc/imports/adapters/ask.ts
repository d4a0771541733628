import { setTimeout as wait } from 'node:timers/promises'
import { NotReached } from '../../../../kit/outgoing/notReached.ts'
import type { Reach } from '../../../../kit/outgoing/reach.ts'
import { type Answer, send } from '../../../../kit/outgoing/send.ts'

/** Maximum number of milliseconds for one answer, and maximum number of attempts while a help desk is busy. */
export const limits = { patience: 30_000, tries: 4 }
/** Maximum number of bytes of one answer. */
const MOST = 64 * 2 ** 20

export class NotAnswered extends Error {}

interface Request {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

/**
 * Requests JSON from a help desk. Waits and retries when the help desk limits the rate, and never follows a
 * redirection. `heard` is called with the time of the help desk's clock, `busy` with the milliseconds that the help desk
 * asks callers to wait.
 */
export async function ask(
  reach: Reach,
  { url, ...request }: Request,
  { heard, busy }: { heard?: (clock: Date) => void; busy?: (ms: number) => void } = {},
): Promise<unknown> {
  const asked = { ...request, url: new URL(url), patienceMs: limits.patience, mostBytes: MOST }
  for (let n = 1; ; n++) {
    const answer = await send(reach, asked).catch((error: unknown) => {
      throw error instanceof NotReached ? new NotAnswered(error.message) : error
    })
    const { status, headers } = answer
    if (status >= 200 && status < 300) {
      const clock = new Date(headers.date ?? '')
      if (!Number.isNaN(clock.getTime())) heard?.(clock)
      return jsonOf(answer)
    }
    const isBusy = status === 429 || status === 503
    if (!isBusy || n >= limits.tries) throw new NotAnswered(`answered ${status}`)
    const pause = pauseOf(headers['retry-after'] ?? null, n)
    busy?.(pause)
    await wait(pause)
  }
}

/**
 * Milliseconds to wait: as the help desk requests (`asked`), at most 20 s; without a request longer after each attempt.
 */
function pauseOf(asked: string | null, n: number): number {
  const seconds = asked !== null && /^\d+$/.test(asked) ? Number(asked) : 2 ** n / 2
  return Math.min(seconds, 20) * 1000
}

function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotAnswered(new NotReached(text).message)
  }
}
