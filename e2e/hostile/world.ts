import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Answer, Op, OperationName } from '@innkeeper/contract/agent'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { buildAgent } from '../../agent/build.ts'
import { type Peer, peer } from '../../agent/testing/peer.ts'
import { lockFolder } from '../../server/kit/lock.ts'
import { repository, scratch } from '../innkeeper.ts'
import { until } from '../until.ts'
import { type Traced, traced } from './execs.ts'
import { type Facts, factsOf } from './facts.ts'

export interface World {
  host: Host
  facts(): Promise<Facts>
  /** Programs that the agent, or what it started, tried to start since the last call. */
  execs(): string[]
  /** Has the real agent carry these out, as if the control plane had asked; answers in their order. */
  ask(ops: readonly Asked[]): Promise<Answer[]>
  close(): Promise<void>
}
export interface Asked {
  name: string
  input: Record<string, unknown>
  /** Of the action; a new one by default. */
  id?: number
  task?: Op['task']
}

const folder = '/opt/test'
let nextId = 1

/** A host with the agent under strace, and us as its control plane: nobody but the agent looks at what is asked. */
export async function openWorld(name = 'hostile'): Promise<World> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    const dir = join(scratch, 'hostile')
    mkdirSync(dir, { recursive: true })
    closing.push(lockFolder(dir))
    const lab = await openLab({ dir })
    closing.push(() => lab.close())
    const host = await lab.host(name)
    await host.wipe()
    await lab.up(name)
    closing.push(() => host.wipe())
    const door = await peer(lab.network.gateway)
    closing.push(() => door.close())
    const agent = await startAgent(host, door, join(dir, 'execs'))
    closing.push(() => host.exec(['sh', '-c', `kill $(cat ${folder}/pid)`]))
    return {
      host,
      facts: () => factsOf(host, join(dir, 'hosts', name, 'upper')),
      execs: () => agent.execs(),
      ask: (ops) => ask(door, agent, ops),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function startAgent(host: Host, door: Peer, log: string): Promise<Traced> {
  const place = `${host.root}${folder}`
  mkdirSync(`${place}/state`, { recursive: true })
  const built = await buildAgent(join(dirname(log), 'dist'))
  copyFileSync(built.file, `${place}/agent.mjs`)
  copyFileSync(join(repository, `node_modules/node-linux-${process.arch}/bin/node`), `${place}/node`)
  const settings = { url: door.url, pin: door.pin, stateDir: `${folder}/state` }
  writeFileSync(`${place}/agent.json`, JSON.stringify(settings))
  const run = ['env', `INNKEEPER_AGENT_CONFIG=${folder}/agent.json`, `${folder}/node`, `${folder}/agent.mjs`]
  const enrolled = await host.exec([...run, '--enrol'], { input: door.state.token })
  if (enrolled.code !== 0) throw new Error(`The agent could not be enrolled: ${enrolled.stdout}${enrolled.stderr}`)
  const script = `echo $$ >${folder}/pid; exec "$@"`
  const agent = traced(await host.inside(['sh', '-c', script, 'sh', ...run]), log)
  let said = ''
  for (const stream of [agent.child.stdout, agent.child.stderr])
    stream?.on('data', (part: Buffer) => {
      said = (said + part).slice(-4000)
    })
  await until('the agent gives a sign of life', 20_000, async () => {
    if (agent.child.exitCode !== null) throw new Error(`The agent ended: ${said}`)
    return door.heard.heartbeats.length > 0
  })
  return agent
}

async function ask(door: Peer, agent: Traced, asked: readonly Asked[]): Promise<Answer[]> {
  const ops = asked.map(({ name, input, id = nextId++, task = 'run' }, n): Op => {
    // work on one subject is done one after the other
    const subject = `hostile:${n % 64}`
    return {
      id,
      attempt: task === 'run' ? 1 : 2,
      name: name as OperationName,
      subject,
      lane: 'short',
      task,
      inspect: false,
      input,
    }
  })
  door.heard.answers.length = 0
  door.ready.push(...ops)
  await until(
    `${ops.length} answers`,
    60_000 + ops.length * 1000,
    async () => {
      if (agent.child.exitCode !== null) throw new Error('The agent has ended')
      return door.heard.answers.length >= ops.length
    },
    5,
  )
  const byId = new Map(door.heard.answers.map((answer) => [answer.id, answer]))
  return ops.map(({ id }) => {
    const answer = byId.get(id)
    if (!answer) throw new Error(`No answer to ${id}`)
    return answer
  })
}
export const newId = () => nextId++
