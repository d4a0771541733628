import { tooMany } from '../../kit/http/errors.ts'

/** Passwords that one address checks at a time on this node: verifying one takes 19 MiB and many milliseconds. */
const AT_ONCE = 4
/** Sign-ins of one address that may wait for their turn. */
const WAITING = 200

interface Line {
  busy: number
  waiting: (() => void)[]
}
const lines = new Map<string, Line>()

/** Runs `work` when fewer than `most` of this key run. Of guesses that come at once each sees the result of the last. */
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

/** One check at a time of a name from an address, and a few of an address. */
export const oneByOne = <T>(name: string, address: string, work: () => Promise<T>): Promise<T> =>
  inTurn(`${address} ${name}`, 1, () => inTurn(address, AT_ONCE, work))
