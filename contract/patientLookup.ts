interface Found {
  address: string
  family: number
}
type Answer = (error: (Error & { code?: string | undefined }) | null, found: Found[]) => void
type Resolve = (host: string, options: { all: true }, answer: Answer) => void

/** An error before this time comes from a resolver that is not there; after it, from one that is slow. */
const SLOW_MS = 3000
const MOST_TRIES = 4

/**
 * `lookup` of Node, for resolvers that answer after twenty seconds: the C library gives up after ten, while the resolver goes on
 * and has the answer at the next question. Who asks for a host that is being looked up shares the answer, because Node looks
 * up two names at a time, and the others wait behind them.
 */
export function patientLookup(resolve: Resolve, now = () => performance.now()): Resolve {
  const waiting = new Map<string, Answer[]>()
  async function ask(host: string, options: { all: true }): Promise<Parameters<Answer>> {
    for (let tries = 1; ; tries++) {
      const began = now()
      const { promise, resolve: answered } = Promise.withResolvers<Parameters<Answer>>()
      resolve(host, options, (...said) => answered(said))
      const [error, found] = await promise
      const isSlow = error?.code === 'EAI_AGAIN' && now() - began >= SLOW_MS
      if (!isSlow || tries >= MOST_TRIES) return [error, found]
    }
  }
  return (host, options, answer) => {
    const key = JSON.stringify([host, options])
    const others = waiting.get(key)
    if (others) return void others.push(answer)
    const all = [answer]
    waiting.set(key, all)
    const end = (...said: Parameters<Answer>) => {
      waiting.delete(key)
      for (const one of all) one(...said)
    }
    ask(host, options).then(
      (said) => end(...said),
      (error: Error) => end(error, []),
    )
  }
}
