import { setTimeout as wait } from 'node:timers/promises'

/** Maximum number of milliseconds for one answer, and maximum number of attempts while a help desk is busy. */
export const limits = { patience: 30_000, tries: 4 }
/** Maximum number of bytes of one answer. */
const MOST = 64 * 2 ** 20

export class NotAnswered extends Error {}

/**
 * Requests JSON from a help desk. Waits and retries when the help desk limits the rate, and never follows a
 * redirection. `heard` is called with the time of the help desk's clock, `busy` with the milliseconds that the help desk
 * asks callers to wait.
 */
export async function ask(
  url: string,
  init: RequestInit,
  { heard, busy }: { heard?: (clock: Date) => void; busy?: (ms: number) => void } = {},
): Promise<unknown> {
  for (let n = 1; ; n++) {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(limits.patience) }).catch(
      (error: unknown) => {
        throw new NotAnswered(`no answer: ${reasonOf(error)}`)
      },
    )
    if (answer.ok) {
      const clock = new Date(answer.headers.get('date') ?? '')
      if (!Number.isNaN(clock.getTime())) heard?.(clock)
      return readJson(answer)
    }
    await answer.body?.cancel()
    const isBusy = answer.status === 429 || answer.status === 503
    if (!isBusy || n >= limits.tries) throw new NotAnswered(`answered ${answer.status}`)
    const pause = pauseOf(answer.headers.get('retry-after'), n)
    busy?.(pause)
    await wait(pause)
  }
}

/**
 * Milliseconds to wait: as the help desk requests (`asked`), at most 20 s; without a request longer after each attempt.
 */
export function pauseOf(asked: string | null, n: number): number {
  const seconds = asked !== null && /^\d+$/.test(asked) ? Number(asked) : 2 ** n / 2
  return Math.min(seconds, 20) * 1000
}

async function readJson(answer: Response): Promise<unknown> {
  if (Number(answer.headers.get('content-length') ?? 0) > MOST) throw new NotAnswered('an answer is too large')
  const text = await answer.text().catch((error: unknown) => {
    throw new NotAnswered(`an answer broke off: ${reasonOf(error)}`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new NotAnswered('an answer is no JSON')
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : 'unknown'
}
