import { setTimeout as sleep } from 'node:timers/promises'
import type { DoorAnswer } from '@innkeeper/contract/agent/door'
import { operations } from '@innkeeper/contract/agent/operations'
import { lane as lanes } from '@innkeeper/contract/machines/workflows'
import { openAgent, type StubAgent } from './stubAgent.ts'

/** Plays the agents of many servers: heartbeats and one open claim for each lane. A process of its own, like `crowd.ts`. */
export interface Members {
  join: { port: number; members: { serverId: number; credential: string }[] }
}
/** What happened since the last such message. Times in ms. */
export interface Happened {
  beats: number[]
  /** When a server got the action of a workflow, in ms since the epoch. */
  claimed: { serverId: number; at: number }[]
  failures: string[]
}

/** As the agent does. */
const BEAT_MS = 5000
const MOST_FAILURES = 5
let happened: Happened = { beats: [], claimed: [], failures: [] }
const failed = (error: unknown) => {
  if (happened.failures.length < MOST_FAILURES) happened.failures.push(String(error))
}

const figures = {
  agentVersion: '0.2.0',
  ...{
    os: 'Debian GNU/Linux 12',
    arch: 'x64' as const,
    operations: Object.keys(operations),
    uptime: 86_400,
    cores: 8,
    load: 0.4,
  },
  memory: { total: 16 * 2 ** 30, used: 6 * 2 ** 30 },
  disk: { total: 500 * 2 ** 30, used: 200 * 2 ** 30 },
  services: ['nginx', 'mariadb', 'php8.2-fpm', 'postfix', 'dovecot'].map((name) => ({
    ...{ name, version: '1.0', state: 'active' as const, detail: '' },
  })),
  ...{ addresses: ['192.0.2.1'], notEnforced: [] },
}

async function beat(agent: StubAgent): Promise<never> {
  await sleep(Math.random() * BEAT_MS)
  for (;;) {
    const began = performance.now()
    await agent.knock('/agent/heartbeat', figures).then(() => happened.beats.push(performance.now() - began), failed)
    await sleep(BEAT_MS)
  }
}

async function claim(agent: StubAgent, lane: (typeof lanes.options)[number]): Promise<never> {
  await sleep(Math.random() * BEAT_MS)
  for (;;) {
    const found = await agent.knock('/agent/claim', { lane, free: 4, held: [] }).catch(failed)
    if (found?.ops.length) await done(agent, found.ops)
    else if (!found) await sleep(1000)
  }
}

async function done(agent: StubAgent, ops: DoorAnswer<'/agent/claim'>['ops']): Promise<void> {
  happened.claimed.push({ serverId: agent.serverId, at: performance.timeOrigin + performance.now() })
  const answers = ops.map(({ id, attempt }) => ({ id, attempt, status: 'done' as const, output: { done: true } }))
  await agent.knock('/agent/report', { held: [], chunks: [], answers }).catch(failed)
}

process.on('message', (message: Members | 'tell') => {
  if (message === 'tell') {
    process.send?.(happened)
    happened = { beats: [], claimed: [], failures: [] }
    return
  }
  const { port, members } = message.join
  for (const { credential, serverId } of members) {
    const agent = openAgent(port, serverId, credential)
    beat(agent).catch(failed)
    for (const lane of lanes.options) claim(agent, lane).catch(failed)
  }
  process.send?.('joined')
})
process.on('disconnect', () => process.exit())
