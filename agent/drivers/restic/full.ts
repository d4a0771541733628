/** restic retries for a quarter of an hour and longer. This time is enough for a prune or a person to make room. */
const PATIENCE_MS = 90_000
/** Without a refusal for this time, restic had room in between. */
const PAUSE_MS = 120_000
/** Longest time until a repeated request of restic is answered. */
const ANSWER_MS = 5000
const retry = /returned error, retrying after ([\d.]+(?:h|ms|m|s)\S*): /i
const noRoom = /\b507\b|no space left|storage ?full|quota exceeded/i
const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** Milliseconds of a duration as Go prints it: `1m0.15s`, `703.8ms`. */
const msOf = (text: string) =>
  text.matchAll(/([\d.]{1,20})(h|ms|m|s)/g).reduce((sum, [, n, unit = 'ms']) => sum + Number(n) * (units[unit] ?? 1), 0)

/**
 * Watches what restic prints, and calls `stop` when a repository has had no room for 90 s. Errors of another kind are
 * left to restic.
 */
export function fullWatch(stop: () => void) {
  let [first, last, retryAt]: [number | undefined, number, number] = [undefined, 0, 0]
  let timer: NodeJS.Timeout | undefined
  let isFull = false
  const give = () => {
    isFull = true
    stop()
  }
  return {
    see(line: string): void {
      const found = retry.exec(line)
      const delay = found?.[1]
      if (delay === undefined || !noRoom.test(line.slice(found?.index))) return
      const now = performance.now()
      if (first === undefined || now - last > PAUSE_MS) {
        first = now
        clearTimeout(timer)
        timer = setTimeout(() => {
          if (retryAt + ANSWER_MS > performance.now()) give()
        }, PATIENCE_MS)
      } else if (now - first >= PATIENCE_MS) give()
      last = now
      retryAt = Math.max(retryAt, now + msOf(delay))
    },
    isFull: () => isFull,
    end: () => clearTimeout(timer),
  }
}
