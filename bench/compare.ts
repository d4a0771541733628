import { readFileSync } from 'node:fs'
import { type Ask, load, type Measured, median } from './load.ts'
import type { Options } from './options.ts'
import type { Stage } from './stage.ts'
import { short } from './table.ts'

export interface Compared {
  /** Ours as a share of the floor's rate: the median of the rounds. */
  share: number
  detail: string
}
type Side = Measured & { cpu: number }

/** Floor and ours by turns, `rounds` times; who begins alternates. */
export async function compare(
  { ours, floor, token }: Stage,
  asks: { floor(n: number): Ask; ours(n: number): Ask },
  { rounds, seconds }: Options,
): Promise<Compared> {
  const bare = () => measure(floor, asks.floor, token, seconds)
  const whole = () => measure({ port: ours.port, pid: ours.pid ?? 0 }, asks.ours, token, seconds)
  await load(floor.port, asks.floor, token, 0.3) // both warm: plans, connections, compiled code
  await load(ours.port, asks.ours, token, 0.3)
  const pairs: { floor: Side; ours: Side }[] = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 ? await whole() : undefined
    pairs.push({ floor: await bare(), ours: first ?? (await whole()) })
  }
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

async function measure(at: { port: number; pid: number }, ask: (n: number) => Ask, token: string, seconds: number) {
  const began = cpuOf(at.pid)
  const measured = await load(at.port, ask, token, seconds)
  return { ...measured, cpu: (cpuOf(at.pid) - began) / (measured.rate * seconds) }
}

/** Microseconds that a process has had of the processors: says more than a rate does on a busy machine. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000 // user and system, in ticks of 10 ms
}
