import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { begin } from './actions.ts'
import type { Happened, Members } from './fleet.ts'
import { load, percentiles } from './load.ts'
import type { Options } from './options.ts'
import type { Stage } from './stage.ts'
import { addServers } from './stubAgent.ts'
import { atMost, type Line, short, unmeasured } from './table.ts'

/** Numbers of agents, each twice the one before: the knee is where a figure leaves its target. */
const FLEETS = [1000, 2000, 4000]
/** Seconds within which every new agent has connected and beats at its pace, or its line is left out. */
const SETTLE_S = 240
const BEAT_S = 5
const MIB = 2 ** 20
/** Clock ticks a second of /proc. */
const TICKS = 100

/** Measures heartbeats, claims and lists with many agents on one API node, and what they cost the node. */
export async function* agents(stage: Stage, { seconds }: Options): AsyncGenerator<Line> {
  const fleet = fork(join(import.meta.dirname, 'fleet.ts'))
  try {
    let there = 0
    for (const size of FLEETS) {
      const members = await addServers(stage, size - there)
      there = size
      const port = stage.ours.port + 43 // the port of the agent API follows PORT
      fleet.send({ join: { port, members } } satisfies Members)
      await once(fleet, 'message')
      if (await settled(fleet, size)) yield* measure(stage, fleet, { size, members }, Math.max(seconds, 10))
      else yield unmeasured('agents', `${size} agents`, `they do not beat every ${BEAT_S} s after ${SETTLE_S} s`)
    }
  } finally {
    fleet.kill('SIGKILL')
  }
}

/** Waits until nine of ten agents beat at their pace. Connecting costs more than staying. */
async function settled(fleet: ChildProcess, size: number): Promise<boolean> {
  await tell(fleet)
  for (let waited = 0; waited < SETTLE_S; waited += BEAT_S) {
    await sleep(BEAT_S * 1000)
    if ((await tell(fleet)).beats.length >= size * 0.9) return true
  }
  return false
}

async function* measure(
  stage: Stage,
  fleet: ChildProcess,
  { size, members }: { size: number; members: { serverId: number }[] },
  seconds: number,
): AsyncGenerator<Line> {
  const what = (text: string) => `${text}, ${size} agents`
  await tell(fleet)
  const before = costOf(stage)
  const lists = load(stage.ours.port, () => ({ path: '/api/websites?itemsPerPage=50' }), stage.token, seconds, 1)
  const begun = new Map<number, number>()
  const end = performance.now() + seconds * 1000
  for (let n = 0; performance.now() < end; n++) {
    const { serverId } = members[n % members.length]!
    begun.set(serverId, performance.timeOrigin + (await begin(stage, serverId, 1)))
    await sleep(100)
  }
  const { cpu, rss } = costOf(stage)
  const listed = percentiles(await lists)
  await sleep(1000)
  const { beats, claimed, failures } = await tell(fleet)
  const took = claimed.flatMap(({ serverId, at }) => at - (begun.get(serverId) ?? Number.NaN))
  const cores = (cpu - before.cpu) / seconds
  const [beat, claim] = [percentiles(beats), percentiles(took)]
  const lost = begun.size - claimed.length
  const behind = `${short(beats.length / seconds)} heartbeats a second, ${failures.length ? failures.join('; ') : 'none failed'}`
  yield atMost('agents', what('cores of the API node'), cores, 1, '', `${behind}; one reader of lists beside them`)
  yield atMost('agents', what('memory of the API node'), rss / MIB, 1024, ' MiB', 'resident')
  yield atMost('agents', what('heartbeat, p99'), beat.p99, 100, ' ms', `p50 ${short(beat.p50)} ms`)
  yield atMost(
    'agents',
    what('commit to the agent has it, p99'),
    claim.p99,
    100,
    ' ms',
    `p50 ${short(claim.p50)} ms, ${lost} of ${begun.size} lost`,
  )
  yield atMost('agents', what('list of websites, p99'), listed.p99, 100, ' ms', `p50 ${short(listed.p50)} ms`)
}

async function tell(fleet: ChildProcess): Promise<Happened> {
  fleet.send('tell')
  const [happened] = (await once(fleet, 'message')) as [Happened] // it sends nothing else by then
  return happened
}

/** Processor seconds of the node since its start, and its resident memory in bytes. */
function costOf({ ours }: Stage): { cpu: number; rss: number } {
  const stat = readFileSync(`/proc/${ours.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${ours.pid}/status`, 'utf8'))?.[1]
  return { cpu: (Number(fields[11]) + Number(fields[12])) / TICKS, rss: Number(rss) * 1024 }
}
