import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

/** How busy the machine was during a test run. A machine without /proc tells its load only. */
export interface Strain {
  /** Processes that ran or waited, averages of a minute. */
  load: { mean: number; most: number }
  /** Least memory that was free for programs, in GB. */
  leastFreeGb?: number
  /** Percent of the processors' time: `idle`, `taken` by the host of a virtual machine (steal), and waiting for a `disk`. */
  idle?: number
  taken?: number
  disk?: number
}

const EVERY_MS = 5000
const KB_PER_GB = 1_000_000

/** Samples load, memory and processors every few seconds. The answered function ends the sampling and sums it up. */
export function watchStrain(): () => Strain {
  const loads: number[] = []
  let leastFree: number | undefined
  const look = () => {
    loads.push(loadavg()[0] ?? 0)
    const free = read('/proc/meminfo')?.match(/^MemAvailable:\s+(\d+)/m)?.[1]
    if (free) leastFree = Math.min(leastFree ?? Number.POSITIVE_INFINITY, Number(free) / KB_PER_GB)
  }
  look()
  const before = ticks()
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    look()
    const after = ticks()
    const part = (n: number) => (100 * ((after?.[n] ?? 0) - (before?.[n] ?? 0))) / (sum(after) - sum(before))
    return {
      load: { mean: sum(loads) / loads.length, most: Math.max(...loads) },
      ...(leastFree !== undefined && { leastFreeGb: leastFree }),
      ...(before && after && { idle: part(IDLE), taken: part(STEAL), disk: part(IOWAIT) }),
    }
  }
}

export const strainInWords = ({ load, leastFreeGb, idle, taken, disk }: Strain): string =>
  [
    `The machine: ${availableParallelism()} processors, load ${load.mean.toFixed(1)} on average and ${load.most.toFixed(1)} at most`,
    ...(leastFreeGb === undefined ? [] : [`${leastFreeGb.toFixed(1)} GB of memory free at least`]),
    ...(idle === undefined || taken === undefined || disk === undefined
      ? []
      : [
          `the processors ${idle.toFixed(1)} % idle, ${taken.toFixed(1)} % taken by the machine below, ${disk.toFixed(1)} % waiting for disks`,
        ]),
  ].join('; ')

/**
 * A function that answers how many seconds of the processors children of this process took, with all their descendants, that have
 * ended since it was last asked. Undefined without /proc.
 */
export function meterChildren(): () => number | undefined {
  let before = spent()
  return () => {
    const now = spent()
    const since = now === undefined || before === undefined ? undefined : now - before
    before = now
    return since
  }
}

function spent(): number | undefined {
  const behindName = read('/proc/self/stat')?.split(') ')[1]?.split(' ')
  const [user, system] = behindName?.slice(CHILDREN, CHILDREN + 2).map(Number) ?? []
  return user === undefined || system === undefined ? undefined : (user + system) / TICKS_PER_S
}
/** Place of the times of children in /proc/self/stat, behind the name of the program. */
const CHILDREN = 13
const TICKS_PER_S = 100

/** Places in the first line of /proc/stat. */
const [IDLE, IOWAIT, STEAL, COUNTED] = [3, 4, 7, 8]
const ticks = () =>
  read('/proc/stat')
    ?.split('\n')[0]
    ?.split(/\s+/)
    .slice(1, COUNTED + 1)
    .map(Number)
const sum = (numbers: readonly number[] = []) => numbers.reduce((all, one) => all + one, 0)

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined // another system than Linux
  }
}
