import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Answer, Op } from '@innkeeper/contract/agent/door'
import type { OperationName } from '@innkeeper/contract/agent/operations'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { buildAgent } from '../../agent/build.ts'
import { type Peer, peer } from '../../agent/test/peer.ts'
import { lockFolder } from '../../server/kit/db/folderLock.ts'
import { repository, scratch } from '../innkeeper.ts'
import { until } from '../until.ts'
import { answersTo } from './answers.ts'
import { type Traced, traced } from './execs.ts'
import { type Facts, factsOf } from './facts.ts'

export interface World {
  host: Host
  facts(): Promise<Facts>
  /** Programs that the agent or its children tried to start since the last call. */
  execs(): string[]
  /** Makes the real agent run these operations, like the control plane would; answers in order. */
  ask(ops: readonly Asked[]): Promise<Answer[]>
  /** Places where a text occurs: files of the host, journals of the agent and the system, output of the agent. */
  tracesOf(text: string): Promise<string[]>
  close(): Promise<void>
}
/** A secret that every request carries in secret fields; it must not be stored anywhere. */
export const planted = 'planted-secret-7351'
export interface Asked {
  name: string
  input: Record<string, unknown>
  /** Id of the action; default: a new one. */
  id?: number
  task?: Op['task']
}

const folder = '/opt/test'
let nextId = 1

/** A host with its agent under strace, and this process as control plane: only the agent validates requests. */
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
      async tracesOf(text) {
        const places = ['/etc', '/var', '/run', '/home', '/root', '/tmp', '/usr/share/innkeeper', `${folder}/state`]
        const { stdout } = await host.exec(['grep', '-rlaF', '--devices=skip', '--', text, ...places])
        const journal = await host.exec(['journalctl', '--no-pager', '--output=export'])
        return [
          ...stdout.split('\n').filter(Boolean),
          ...(journal.stdout.includes(text) ? ['journald'] : []),
          ...(agent.said.includes(text) ? ['output of the agent'] : []),
          ...(JSON.stringify(door.heard).includes(text) ? ['answers to the control plane'] : []),
        ]
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Agent extends Traced {
  /** Output of the agent; under systemd it would be in the journal. */
  readonly said: string
}

async function startAgent(host: Host, door: Peer, log: string): Promise<Agent> {
  const place = `${host.root}${folder}`
  mkdirSync(`${place}/state`, { recursive: true })
  // empty folders of the agent, which stay after their first use
  for (const own of ['transfers', 'spool', 'backup/own'].map((name) => `/var/lib/innkeeper/${name}`))
    mkdirSync(`${host.root}${own}`, { recursive: true, mode: 0o700 })
  mkdirSync(`${host.root}/etc/innkeeper/tls`, { recursive: true, mode: 0o700 })
  for (const own of ['tls', 'https', 'edge-tls'])
    mkdirSync(`${host.root}/etc/nginx/innkeeper/${own}`, { recursive: true })
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
      said += part
    })
  await until('the agent reports', async () => {
    if (agent.child.exitCode !== null) throw new Error(`The agent ended: ${said.slice(-4000)}`)
    return door.heard.heartbeats.length > 0
  })
  return {
    ...agent,
    get said() {
      return said
    },
  }
}

async function ask(door: Peer, agent: Agent, asked: readonly Asked[]): Promise<Answer[]> {
  const ops = asked.map(({ name, input, id = nextId++, task = 'run' }, n): Op => {
    // operations with one subject run one after another
    const subject = `hostile:${n % 64}`
    return {
      id,
      attempt: task === 'run' ? 1 : 2,
      name: name as OperationName,
      subject,
      lane: 'short',
      task,
      inspect: false,
      input: { password: planted, ...input, more: { privateKey: planted } }, // a tried password replaces the planted one
    }
  })
  return answersTo(ops, door, () => agent.child.exitCode === null)
}
export const newId = () => nextId++
