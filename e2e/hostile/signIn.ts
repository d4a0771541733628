import { limitOf, longer, openSignIns, type Times } from '../../server/test/hostile/timing.ts'

export interface TimingSummary {
  signIns: number
  violations: string[]
}
const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/**
 * Measures `count` failed sign-ins, half of existing people and half of unknown ones; then the same with locked
 * accounts.
 */
export async function signInTiming(count: number, say: (line: string) => void): Promise<TimingSummary> {
  const samples = Math.max(10, Math.ceil(count / 2))
  const limit = limitOf(samples)
  const signIns = await openSignIns()
  const violations: string[] = []
  const judge = (what: string, { there, notThere }: Times) => {
    const share = longer(there, notThere)
    const line = [
      `${what}: of ${samples} each, a person's takes longer than a stranger's in ${(100 * share).toFixed(2)} % of pairs`,
      `50 % ± ${(100 * limit).toFixed(2)} tells nothing`,
      `in the middle ${middle(there).toFixed(2)} and ${middle(notThere).toFixed(2)} ms`,
    ].join('; ')
    say(line)
    if (Math.abs(share - 0.5) >= limit) violations.push(line)
  }
  try {
    // verifies the measurement: a difference of a tenth of a usual sign-in must be visible
    const times = await signIns.wrong(samples, say)
    judge('A wrong password', times)
    const slower = times.there.map((ms) => ms + middle(times.there) / 10)
    if (longer(slower, times.notThere) - 0.5 < limit)
      violations.push('a difference of a tenth is not visible with so few samples or on such a busy machine')
    judge('A locked name', await signIns.locked(samples))
  } finally {
    await signIns.close()
  }
  return { signIns: 4 * samples, violations }
}
