import { readFileSync } from 'node:fs'
import { type Ask, load, median, percentiles } from './load.ts'
import type { Options } from './options.ts'
import type { Stage } from './stage.ts'
import { short } from './table.ts'

export interface Compared {
  /** Our rate as a share of the floor's rate: the median of the rounds. */
  share: number
  detail: string
}
/** Length of a slice in seconds, so short that other work of the machine affects both sides. */
const SLICE_S = 0.25
/** Seconds of load per side before the first slice: plans, connections, and code that is compiled after many calls. */
const WARM_UP_S = 1

interface Side {
  /** Answers per second. */
  rate: number
  /** Latency in milliseconds. */
  p50: number
  p99: number
  /** Processor time in microseconds per answer. */
  cpu: number
}
interface Place {
  port: number
  pid: number
  ask(n: number): Ask
}

/** Alternates floor and app in slices of a quarter of a second, `rounds` times `seconds` for each. */
export async function compare(
  { ours, floor, token }: Stage,
  asks: { floor(n: number): Ask; ours(n: number): Ask },
  { rounds, seconds }: Options,
): Promise<Compared> {
  const bare = { port: floor.port, pid: floor.pid, ask: asks.floor }
  const whole = { port: ours.port, pid: ours.pid ?? 0, ask: asks.ours }
  for (const { port, ask } of [bare, whole]) await load(port, ask, token, WARM_UP_S)
  const pairs: { floor: Side; ours: Side }[] = []
  for (let round = 0; round < rounds; round++) pairs.push(await oneRound(bare, whole, token, seconds))
  const shares = pairs.map((pair) => pair.ours.rate / pair.floor.rate)
  const side = (name: 'ours' | 'floor') => {
    const of = (key: keyof Side) => short(median(pairs.map((pair) => pair[name][key])))
    return `${of('rate')} req/s, p50 ${of('p50')} ms, p99 ${of('p99')} ms, CPU ${of('cpu')} µs`
  }
  return {
    share: median(shares),
    detail: `${side('ours')} (floor ${side('floor')}); shares ${shares.map((s) => s.toFixed(2)).join(' ')}`,
  }
}

async function oneRound(bare: Place, whole: Place, token: string, seconds: number) {
  const [floor, ours] = [meter(bare, token), meter(whole, token)]
  for (let n = 0; n < Math.max(1, Math.round(seconds / SLICE_S)); n++)
    for (const side of n % 2 ? [ours, floor] : [floor, ours]) await side.run()
  return { floor: floor.read(), ours: ours.read() }
}

function meter({ port, pid, ask }: Place, token: string) {
  const times: number[] = []
  let [sent, passed, cpu] = [0, 0, 0]
  return {
    async run() {
      const [began, had] = [performance.now(), cpuOf(pid)]
      times.push(...(await load(port, () => ask(sent++), token, SLICE_S)))
      passed += (performance.now() - began) / 1000
      cpu += cpuOf(pid) - had
    },
    read: (): Side => ({ rate: times.length / passed, ...percentiles(times), cpu: cpu / times.length }),
  }
}

/** Processor time of a process in microseconds; more reliable than a rate on a busy machine. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000 // user and system time in ticks of 10 ms
}
