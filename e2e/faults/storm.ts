import { loadavg } from 'node:os'
import { faults } from './faults.ts'
import { kinds } from './kinds.ts'
import { playRound, type Round } from './round.ts'
import type { World } from './world.ts'

export interface Storm {
  /** Stops after the current round. */
  stop?: AbortSignal
  seed: number
  rounds: number
  /** Only these round numbers. */
  only?: readonly number[]
  /** Fixed kinds and faults, used in turn instead of random ones. */
  kind?: readonly string[]
  fault?: readonly string[]
  /** Leaves out kinds that need large packages. */
  light?: boolean
  /** Other tests run beside: the time of a recovery says nothing. */
  busy?: boolean
}
interface Figures {
  rounds: number
  repaired: number
  /** Median and maximum in ms. */
  recovery: { median: number; longest: number }
}
export interface Summary extends Figures {
  violations: string[]
  longestGap: number
  faults: Record<string, Figures>
  /** Number of rounds per kind of workflow. */
  kinds: Record<string, number>
}

/**
 * Runs the rounds one after another, and reports each in a line. A round builds on the state that the previous one
 * left.
 */
export async function storm(world: World, wanted: Storm, say: (line: string) => void): Promise<Summary> {
  const { seed, rounds, only, kind, fault, stop, light, busy } = wanted
  for (const [name, { absent }] of Object.entries(faults)) {
    const why = absent?.()
    if (why) say(`skipped ${name}: ${why}`)
  }
  const unknown = await unknownKinds()
  if (unknown.length) throw new Error(`No scenario for ${unknown.join(', ')}: add them to e2e/faults/kinds.ts`)
  const played: Round[] = []
  const violations: string[] = []
  for (let n = 1; n <= rounds; n++) {
    if (stop?.aborted) break
    if (only && !only.includes(n)) continue
    const head = `seed ${seed} round ${n}`
    try {
      const inTurn = (of: readonly string[] | undefined) => of?.[(n - 1) % of.length]
      const round = await playRound(world, seed, n, { kind: inTurn(kind), fault: inTurn(fault), light, busy })
      played.push(round)
      say(`${head}: ${inWords(round)}`)
      for (const line of round.violations) say(`  VIOLATION ${line}`)
      violations.push(...round.violations.map((line) => `${head}: ${line}`))
    } catch (error) {
      const reason = error instanceof Error ? `${error.stack}${error.cause ? `\n${error.cause}` : ''}` : String(error)
      say(`${head}: ${reason}`)
      violations.push(`${head}: ${reason}`)
      break // the next round requires an intact world
    }
  }
  return summaryOf(played, violations)
}

export function inWords(round: Round): string {
  const { kind, subject, at, outcome, recoveryMs, mendMs, gapMs, visits } = round
  const what = round.about ? `${round.fault} (${round.about})` : round.fault
  return `${kind} ${subject}, ${what}, at ${at}: ${outcome}, recovered in ${recoveryMs} ms (mended in ${mendMs}); ${visits} visits to others, longest gap ${gapMs} ms; load ${loadavg()[0]?.toFixed(1)}`
}

export function summaryOf(played: readonly Round[], violations: string[]): Summary {
  const groups = [...Map.groupBy(played, ({ fault }) => fault)]
  return {
    ...figuresOf(played),
    violations,
    longestGap: Math.max(0, ...played.map(({ gapMs }) => gapMs)),
    faults: Object.fromEntries(groups.map(([name, rounds]) => [name, figuresOf(rounds)])),
    kinds: Object.fromEntries([...Map.groupBy(played, ({ kind }) => kind)].map(([name, { length }]) => [name, length])),
  }
}

function figuresOf(played: readonly Round[]): Figures {
  const times = played.map(({ recoveryMs }) => recoveryMs).toSorted((a, b) => a - b)
  return {
    rounds: played.length,
    repaired: played.filter(({ outcome }) => outcome.startsWith('failed')).length,
    recovery: { median: times[Math.floor(times.length / 2)] ?? 0, longest: times.at(-1) ?? 0 },
  }
}

export const inOneLine = (seed: number, { rounds, repaired, violations, recovery, longestGap }: Summary): string =>
  `seed ${seed}: ${rounds} rounds, ${repaired} repaired by hand, ${violations.length} violations; recovery median ${recovery.median} ms, longest ${recovery.longest} ms; longest gap of another website ${longestGap} ms`

/** A line per fault, the most frequent first, and one about the kinds of workflows. */
export const inLines = ({ faults, kinds }: Summary): string[] => [
  ...Object.entries(faults)
    .toSorted(([, one], [, other]) => other.rounds - one.rounds)
    .map(
      ([name, { rounds, repaired, recovery }]) =>
        `${String(rounds).padStart(4)} × ${name}: ${repaired} repaired by hand, recovery median ${recovery.median} ms, longest ${recovery.longest} ms`,
    ),
  Object.entries(kinds)
    .map(([name, rounds]) => `${rounds} × ${name}`)
    .join(', '),
]

/** Kinds of workflows in the product without a scenario. */
export async function unknownKinds(): Promise<string[]> {
  await import('../../server/registry.ts') // the domains register all kinds
  const { knownKinds } = await import('../../server/kit/work/workflow.ts')
  return knownKinds().filter((name) => !(name in kinds))
}
