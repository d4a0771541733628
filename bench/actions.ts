import { setTimeout as sleep } from 'node:timers/promises'
import type { DoorAnswer } from '@innkeeper/contract/agent/door'
import { operations } from '@innkeeper/contract/agent/operations'
import type { PlanStep } from '../server/kit/work/action.ts'
import { start } from '../server/kit/work/workflow.ts'
import { openCommits } from './commits.ts'
import { percentiles } from './load.ts'
import type { Stage } from './stage.ts'
import { enrolled, type StubAgent } from './stubAgent.ts'
import { atLeast, atMost, type Line, short } from './table.ts'

const STARTS = 300
const AGENTS = 10
const WORKFLOWS = 2000
const STEPS = 5

/** Measures actions through the agent API with TLS, without the work of an agent on its server. */
export async function* actions(stage: Stage): AsyncGenerator<Line> {
  const agents = await enrolled(stage, AGENTS + 1)
  const [starter, ...others] = agents
  const crew = others.map(claimant)
  await throughput(stage, crew) // warm up: compiled code, connections and plans
  const { ours, floor } = await startTimes(stage, starter!)
  const { p50, p99, max } = percentiles(ours)
  const least = percentiles(floor)
  const behind = `p50 ${short(p50)} ms, longest ${short(max)} ms, ${STARTS} starts one by one; two commits with a NOTIFY between them: p50 ${short(least.p50)} ms, p99 ${short(least.p99)} ms, longest ${short(least.max)} ms`
  yield atMost('actions', 'commit to the agent has it, p99', p99, 5, ' ms', behind)
  const { rate, seconds } = await throughput(stage, crew)
  const load = `${WORKFLOWS} workflows of ${STEPS} actions, claimed, carried out as nothing and reported, in ${seconds.toFixed(1)} s`
  yield atLeast('actions', `actions a second, ${AGENTS} agents`, rate, 3000, load)
  for (const agent of agents) agent.close()
}

/** Runs one workflow at a time while the agent waits for work, and the least commits in turn with them. */
async function startTimes(stage: Stage, agent: StubAgent): Promise<{ ours: number[]; floor: number[] }> {
  const commits = await openCommits(stage.url)
  const times = { ours: [] as number[], floor: [] as number[] }
  for (let n = 0; n < STARTS; n++) {
    const claimed = agent
      .knock('/agent/claim', { lane: 'short', free: 1 })
      .then(({ ops }) => ({ ops, at: performance.now() }))
    await sleep(5) // the claim call is open by then
    const committing = await begin(stage, agent.serverId, 1)
    const { ops, at } = await claimed
    times.ours.push(at - committing)
    await report(agent, ops)
    await sleep(5)
    times.floor.push(await commits.time())
  }
  await commits.close()
  return times
}

interface Claimant {
  agent: StubAgent
  /** Waits a moment for work. An unanswered claim stays open for the next call, since its answer must not be lost. */
  claim(): Promise<DoorAnswer<'/agent/claim'>['ops']>
}

function claimant(agent: StubAgent): Claimant {
  let open: Promise<DoorAnswer<'/agent/claim'>> | undefined
  return {
    agent,
    async claim() {
      open ??= agent.knock('/agent/claim', { lane: 'short', free: 64 })
      const found = await Promise.race([open, sleep(100)])
      if (found) open = undefined
      return found?.ops ?? []
    },
  }
}

async function throughput(stage: Stage, crew: Claimant[]): Promise<{ rate: number; seconds: number }> {
  let left = WORKFLOWS * STEPS
  const starting = Array.from({ length: WORKFLOWS }, (_, n) => crew[n % crew.length]!.agent.serverId)
  for (const serverId of starting) await begin(stage, serverId, STEPS)
  const began = performance.now()
  await Promise.all(
    crew.map(async ({ agent, claim }) => {
      while (left > 0) {
        const ops = await claim()
        if (!ops.length) continue
        const { accepted } = await report(agent, ops)
        left -= accepted.length
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  return { rate: (WORKFLOWS * STEPS) / seconds, seconds }
}

const report = (agent: StubAgent, ops: DoorAnswer<'/agent/claim'>['ops']) =>
  agent.knock('/agent/report', {
    held: [],
    chunks: [],
    answers: ops.map(({ id, attempt }) => ({ id, attempt, status: 'done', output: { done: true } })),
  })

/** Starts a workflow in its own transaction. Answers the time just before the commit. */
export async function begin({ inside: { app } }: Stage, serverId: number, steps: number): Promise<number> {
  let committing = 0
  await app.db.transaction(async (tx) => {
    const resource = { type: 'website', id: 1, name: 'bench.example' }
    await start(tx, {
      kind: 'bench',
      subject: resource,
      holder: 'bench',
      startedById: null,
      plan: planOf(serverId, steps),
      locks: [],
    })
    committing = performance.now()
  })
  return committing
}

const planOf = (serverId: number, steps: number): PlanStep[] =>
  Array.from({ length: steps }, () => ({
    name: 'document-root.ensure',
    title: 'Document root',
    what: '',
    lane: 'short',
    input: operations['document-root.ensure'].parse({
      username: 'bench',
      path: '/home/bench/bench.example/public',
      domain: 'bench.example',
    }),
    serverId,
    resource: { type: 'document-root', id: 1, name: 'bench.example' },
    optional: false,
  }))
