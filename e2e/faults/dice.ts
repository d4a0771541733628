/** A random generator (mulberry32): the same seed gives the same numbers on every machine. */
export function dice(seed: number) {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    /** An integer from 0 to n - 1. */
    below: (n: number) => Math.floor(next() * n),
    chance: (p: number) => next() < p,
    pick<T>(of: readonly T[]): T {
      const one = of[Math.floor(next() * of.length)]
      if (one === undefined) throw new Error('There is nothing to pick from')
      return one
    },
  }
}
export type Dice = ReturnType<typeof dice>
