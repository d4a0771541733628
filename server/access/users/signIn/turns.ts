import { tooMany } from '../../../kit/http/errors.ts'

/**
 * Maximum number of passwords of one address that are verified concurrently on this node, because each takes 19 MiB and
 * many milliseconds.
 */
const AT_ONCE = 4
/** Maximum number of sign-ins of one address that wait. */
const WAITING = 200

interface Line {
  busy: number
  waiting: (() => void)[]
}
const lines = new Map<string, Line>()

/**
 * Runs `work` when fewer than `most` with this key run. Each of several concurrent guesses thus sees the result of the
 * previous one.
 */
async function inTurn<T>(key: string, most: number, work: () => Promise<T>): Promise<T> {
  const line = lines.get(key) ?? { busy: 0, waiting: [] }
  lines.set(key, line)
  if (line.busy < most) line.busy += 1
  else if (line.waiting.length >= WAITING)
    throw tooMany('Too many sign-ins at once. Try again in a moment.', { isLogged: false })
  else await new Promise<void>((resolve) => line.waiting.push(resolve)) // takes over the place of whoever ends
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next) next()
    else {
      line.busy -= 1
      if (!line.busy) lines.delete(key)
    }
  }
}

/** Runs one check at a time per name and address, and a few per address. */
export const oneByOne = <T>(name: string, address: string, work: () => Promise<T>): Promise<T> =>
  inTurn(`${address} ${name}`, 1, () => inTurn(address, AT_ONCE, work))
