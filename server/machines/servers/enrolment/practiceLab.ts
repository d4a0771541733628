import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Practice, Server } from '@innkeeper/contract/machines/servers/shapes'
import { and, eq, isNull, like } from 'drizzle-orm'
import * as z from 'zod'
import type { App } from '../../../kit/app/app.ts'
import { refused } from '../../../kit/http/errors.ts'
import { servers } from '../tables.ts'
import { agentInPlace } from './enrolment.ts'
import { hereObstacle } from './here.ts'
import { enrolByName, PRACTICE_NOTE, practiceServer } from './practiceServer.ts'
import { openAtGateway } from './reachability.ts'

/** Messages of `lab/practice.ts`, one JSON line each. */
const Said = z.discriminatedUnion('event', [
  z.object({ event: z.literal('step'), text: z.string(), done: z.number(), total: z.number() }),
  z.object({ event: z.literal('host'), name: z.string(), address: z.string(), gateway: z.string() }),
  z.object({ event: z.literal('ran'), name: z.string(), code: z.number(), output: z.string() }),
  z.object({ event: z.literal('missing'), name: z.string(), reason: z.string() }),
  z.object({ event: z.literal('unable'), reason: z.string() }),
  z.object({ event: z.literal('ready') }),
])

type Child = ChildProcessByStdio<Writable, Readable, null>
interface PracticeHost {
  gateway: string
  enrolling: boolean
  agent: boolean
  /** Number of failed attempts to enrol, and the reason of the last one. */
  failures: number
  problem?: string
}
type Hosts = Map<string, PracticeHost>
const freshHost = (gateway: string): PracticeHost => ({ gateway, enrolling: false, agent: false, failures: 0 })
/** The first pause before another attempt to enrol; each later one is twice as long, up to some minutes. */
const AGAIN_MS = 15_000
const MOST_DOUBLINGS = 5

/** The practice servers that every start creates. They are web servers. */
const first = ['practice-1', 'practice-2']
/** Maximum number of practice servers, because each uses memory and CPU time of this machine. */
const MOST = 6

/** The practice hosts of a node, in a child process. */
export interface PracticeLab {
  isFull(): boolean
  /** Boots another host and enrols it as a server of the type. */
  add(type: Server['type']): Promise<void>
  stop(): Promise<void>
}

/**
 * Boots the practice hosts. They stop when this process says so. If this process crashes, they go on for a quarter of an hour, and the
 * next start takes them over.
 */
export async function startLab(
  app: App,
  now: Practice,
  tell: (to: Partial<Practice>) => void,
  fail: (error: unknown) => void,
): Promise<PracticeLab> {
  const added = await app.db
    .select({ name: servers.name })
    .from(servers)
    .where(and(isNull(servers.deletedAt), like(servers.name, 'practice-_'), eq(servers.note, PRACTICE_NOTE)))
  const names = [...new Set([...first, ...added.map(({ name }) => name)])]
  const child = spawn(process.execPath, [join(app.settings.repository, 'lab/practice.ts'), ...names], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, INNKEEPER_DATA: app.settings.dataDir },
    detached: true, // Ctrl-C in a terminal stops only this process; a stop in order tells the child
  })
  const hosts: Hosts = new Map()
  const types = new Map<string, Server['type']>()
  const conversation = converse(app, child, tell, hosts, types)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = Said.safeParse(parse(line))
    if (said.success) conversation(said.data).catch(fail)
    else app.log.warn({ line }, 'practice: not understood')
  })
  child.stdin.on('error', () => {}) // the exit handler reports the end of the child
  child.on('error', fail)
  child.on('exit', (code) => {
    const ended = now.state === 'off' || now.state === 'unable' || now.state === 'here-offered'
    if (!ended) fail(new Error(`The practice servers ended with code ${code}`))
  })
  return {
    isFull: () => hosts.size >= MOST,
    async add(type) {
      const live = await app.db
        .select({ name: servers.name })
        .from(servers)
        .where(and(isNull(servers.deletedAt), like(servers.name, 'practice-_')))
      // also names of servers that people added
      const taken = new Set([...hosts.keys(), ...live.map((server) => server.name)])
      const name = Array.from({ length: 9 }, (_, n) => `practice-${n + 1}`).find((one) => !taken.has(one))
      if (!name) throw refused('No name of a practice server is free')
      types.set(name, type)
      hosts.set(name, freshHost(''))
      tell({ state: 'booting', text: `${name} is being made`, done: 0, total: 1 })
      child.stdin.write(`${JSON.stringify({ add: name })}\n`)
    },
    stop: () => stopLab(child),
  }
}

/** How long a stop waits for the hosts to be off. On a slow machine the child goes on alone: killed, it would leave hosts half off. */
const STOP_MS = 5000

function stopLab(child: Child): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const waited = setTimeout(() => {
      child.unref()
      child.stdout.destroy()
      resolve()
    }, STOP_MS)
    child.once('exit', () => {
      clearTimeout(waited)
      resolve()
    })
    child.stdin.end(`${JSON.stringify({ stop: true })}\n`)
  })
}

/**
 * Handles the messages of the lab. Checks whether a host has the current agent of this installation, and enrols the
 * host otherwise.
 */
function converse(
  app: App,
  child: Child,
  tell: (to: Partial<Practice>) => void,
  hosts: Hosts,
  types: ReadonlyMap<string, Server['type']>,
) {
  const gateways = new Map<string, Promise<() => void>>()
  child.once('exit', () => {
    for (const opened of gateways.values())
      opened.then(
        (close) => close(),
        () => {}, // opening failed and was already reported
      )
  })
  let allUp = false
  const run = (name: string, script: string) =>
    child.stdin.write(`${JSON.stringify({ run: name, argv: ['sh', '-c', script] })}\n`)

  const progress = (name?: string): Partial<Practice> => {
    const done = [...hosts.values()].filter((host) => host.agent).length
    const total = hosts.size
    const lacking = [...hosts].flatMap(([one, { agent, problem }]) =>
      agent || !problem ? [] : `${one} has no agent: ${problem}`,
    )
    if (allUp && done + lacking.length === total)
      return {
        ...{ state: 'ready', done, total },
        text: lacking.length ? `${lacking.join('; ')}. It is tried again by itself` : 'The practice servers are up',
      }
    return {
      state: 'enrolling',
      text: name ? `${name} has its agent` : 'The practice servers get their agents',
      done,
      total,
    }
  }

  const enrol = async (name: string, host: PracticeHost): Promise<void> => {
    host.enrolling = true
    run(name, await enrolByName(app, name, host.gateway))
  }
  /** Enrols a practice server again after a pause, which grows, for as long as the lab runs. Other practice servers go on meanwhile. */
  const again = (name: string, host: PracticeHost): void => {
    const timer = setTimeout(
      () => {
        if (child.exitCode === null && hosts.get(name) === host)
          enrol(name, host).catch((error: unknown) => {
            app.log.error({ err: error }, 'practice: no token for another attempt')
            again(name, host)
          })
      },
      AGAIN_MS * 2 ** Math.min(host.failures++, MOST_DOUBLINGS),
    )
    timer.unref()
  }

  return async (said: z.output<typeof Said>): Promise<void> => {
    switch (said.event) {
      case 'step':
        return tell({ state: 'building', text: said.text, done: said.done, total: said.total })
      case 'host': {
        tell({ state: 'booting', text: `${said.name} is up at ${said.address}` })
        hosts.set(said.name, freshHost(said.gateway))
        const way = gateways.get(said.gateway) ?? openAtGateway(app.settings, said.gateway)
        gateways.set(said.gateway, way)
        await way
        const enrolled = await practiceServer(app, { ...said, type: types.get(said.name) ?? 'web' })
        return void run(said.name, enrolled ? await agentInPlace(app, said.gateway) : 'false')
      }
      case 'ran': {
        const host = hosts.get(said.name)
        if (!host) return
        if (said.code === 0) {
          host.agent = true
          return tell(progress(said.name))
        }
        if (!host.enrolling) return enrol(said.name, host)
        host.problem = said.output.trim().slice(-400)
        app.log.warn({ name: said.name, reason: host.problem }, 'practice: a server could not be enrolled')
        again(said.name, host)
        return tell(progress())
      }
      case 'missing':
        hosts.delete(said.name)
        return tell({ ...progress(), text: `${said.name} could not be made: ${said.reason}` })
      case 'unable':
        return tell({ state: (await hereObstacle()) ? 'unable' : 'here-offered', text: said.reason })
      case 'ready':
        allUp = true
        return tell(progress())
    }
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // the caller logs the line as not understood
  }
}
