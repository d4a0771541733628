import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { servers as contract, Practice } from '@innkeeper/contract/servers'
import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod'
import type { App, PracticeServers } from '../../kit/app/app.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { servers } from '../tables.ts'
import { agentInPlace, enrolmentCommand, newEnrolment } from './enrolment.ts'
import { openAtGateway } from './reachability.ts'

/** Messages of `lab/practice.ts`, one JSON line each. */
const Said = z.discriminatedUnion('event', [
  z.object({ event: z.literal('step'), text: z.string(), done: z.number(), total: z.number() }),
  z.object({ event: z.literal('host'), name: z.string(), address: z.string(), gateway: z.string() }),
  z.object({ event: z.literal('ran'), name: z.string(), code: z.number(), output: z.string() }),
  z.object({ event: z.literal('unable'), reason: z.string() }),
  z.object({ event: z.literal('ready') }),
])

type Child = ChildProcessByStdio<Writable, Readable, null>
const HERE = 'this-machine'

/** The two calls for practice servers. */
export const practiceHandlers: Pick<Handlers<typeof contract>, 'practice' | 'useThisMachine'> = {
  practice: async (_, { app }) => app.practice?.state() ?? off(app),
  async useThisMachine(_, { app }) {
    if (!app.practice) throw refused('This node serves no practice servers')
    return app.practice.useHere()
  },
}

const off = (app: App): Practice => ({
  state: 'off',
  text: '',
  done: 0,
  total: 0,
  previewPort: app.settings.previewPort,
})

/**
 * The practice servers of an embedded start. A child process builds and boots the hosts; this process creates their
 * server rows and sends the enrolment commands. The hosts stop when the child's standard input closes, however this
 * process ends.
 */
export function startPractice(app: App): PracticeServers {
  const now = off(app)
  let child: Child | undefined
  const tell = (to: Partial<Practice>) => {
    Object.assign(now, to)
    changed(app.db, 'practice').catch((error) => app.log.warn({ err: error }, 'practice: nobody could be told'))
  }
  const fail = (error: unknown) => {
    app.log.error({ err: error }, 'practice')
    tell({ state: 'unable', text: error instanceof Error ? error.message : String(error) })
  }
  const useHere = async () => {
    const obstacle = await hereObstacle()
    if (obstacle) throw refused(obstacle)
    tell({ state: 'enrolling', text: 'Installing the agent on this machine', done: 0, total: 1 })
    installHere(app).then(() => tell({ state: 'ready', text: 'This machine is the practice server', done: 1 }), fail)
    return now
  }
  if (app.settings.practice === 'here') useHere().catch(fail)
  if (app.settings.practice === 'on') {
    tell({ state: 'building', text: 'Checking whether this machine can run practice servers' })
    child = spawnLab(app, now, tell, fail)
  }
  return { state: () => now, useHere, stop: () => stopLab(child, now) }
}

function spawnLab(
  app: App,
  now: Practice,
  tell: (to: Partial<Practice>) => void,
  fail: (error: unknown) => void,
): Child {
  const child = spawn(process.execPath, [join(app.settings.repository, 'lab/practice.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, INNKEEPER_DATA: app.settings.dataDir },
    detached: true, // Ctrl-C in a terminal stops this process only; closing the input then stops the child
  })
  const conversation = converse(app, child, tell)
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
  return child
}

function stopLab(child: Child | undefined, now: Practice): Promise<void> {
  return new Promise((resolve) => {
    now.state = 'off'
    if (!child || child.exitCode !== null || child.signalCode !== null) return resolve()
    const killer = setTimeout(() => child.kill('SIGKILL'), 1500)
    child.once('exit', () => {
      clearTimeout(killer)
      resolve()
    })
    child.stdin.end()
  })
}

/**
 * Handles the messages of the lab. Checks whether a host has the current agent of this installation, and enrols the
 * host otherwise.
 */
function converse(app: App, child: Child, tell: (to: Partial<Practice>) => void) {
  const hosts = new Map<string, { gateway: string; enrolling: boolean; agent: boolean }>()
  const gateways = new Map<string, Promise<() => void>>()
  child.once('exit', () => {
    for (const opened of gateways.values())
      opened.then(
        (close) => close(),
        () => {}, // opening failed, which was reported already
      )
  })
  let allUp = false
  const run = (name: string, script: string) =>
    child.stdin.write(`${JSON.stringify({ run: name, argv: ['sh', '-c', script] })}\n`)

  const progress = (name?: string): Partial<Practice> => {
    const done = [...hosts.values()].filter((host) => host.agent).length
    const total = hosts.size
    if (allUp && done === total) return { state: 'ready', text: 'The practice servers are up', done, total }
    return {
      state: 'enrolling',
      text: name ? `${name} has its agent` : 'The practice servers get their agents',
      done,
      total,
    }
  }

  return async (said: z.output<typeof Said>): Promise<void> => {
    switch (said.event) {
      case 'step':
        return tell({ state: 'building', text: said.text, done: said.done, total: said.total })
      case 'host': {
        tell({ state: 'booting', text: `${said.name} is up at ${said.address}` })
        hosts.set(said.name, { gateway: said.gateway, enrolling: false, agent: false })
        const way = gateways.get(said.gateway) ?? openAtGateway(app.settings, said.gateway)
        gateways.set(said.gateway, way)
        await way
        const enrolled = await practiceServer(app, said.name, said.address)
        return void run(said.name, enrolled ? await agentInPlace(app, said.gateway) : 'false')
      }
      case 'ran': {
        const host = hosts.get(said.name)
        if (!host) return
        if (said.code === 0) {
          host.agent = true
          return tell(progress(said.name))
        }
        if (host.enrolling) throw new Error(`${said.name} could not be enrolled: ${said.output.trim().slice(-400)}`)
        host.enrolling = true
        return void run(said.name, await enrolByName(app, said.name, host.gateway))
      }
      case 'unable':
        return tell({ state: (await hereObstacle()) ? 'unable' : 'here-offered', text: said.reason })
      case 'ready':
        allUp = true
        return tell(progress())
    }
  }
}

/** Finds or creates the server row of a practice host. Returns whether an agent is enrolled for it. */
async function practiceServer(app: App, name: string, address: string): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const [known] = await tx.update(servers).set({ address }).where(named(name)).returning()
    const [server] = known
      ? [known]
      : await tx
          .insert(servers)
          .values({ name, address, type: 'web', note: 'A practice server on this machine' })
          .returning()
    await changed(tx, 'servers', server?.id)
    return Boolean(server?.credentialHash && !server.credentialRevokedAt)
  })
}

const named = (name: string) => and(eq(servers.name, name), isNull(servers.deletedAt))

async function enrolByName(app: App, name: string, gateway: string): Promise<string> {
  const [server] = await app.db.select({ id: servers.id }).from(servers).where(named(name))
  if (!server) throw new Error(`${name} was deleted meanwhile`)
  const { token } = await app.db.transaction((tx) => newEnrolment(tx, server.id, 'Innkeeper'))
  return enrolmentCommand(app, token, gateway)
}

/** Why this machine cannot be the practice server; undefined when it can. */
async function hereObstacle(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'Innkeeper would have to run as root'
  if (!existsSync('/usr/bin/apt-get'))
    return 'There is no apt-get on this machine: add a Debian server by its enrolment command instead'
  if (!existsSync('/usr/bin/curl')) return 'There is no curl on this machine: apt-get install curl brings it'
  return (await portFree(80)) ? undefined : 'Port 80 of this machine is in use'
}

const portFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })

async function installHere(app: App): Promise<void> {
  await practiceServer(app, HERE, '127.0.0.1')
  const command = await enrolByName(app, HERE, '127.0.0.1')
  const installer = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [installer.stdout, installer.stderr])
    stream.on('data', (part: Buffer) => {
      said = (said + part.toString('utf8')).slice(-2000)
    })
  const code = await new Promise((resolve) => installer.once('close', resolve))
  if (code !== 0) throw new Error(`The agent could not be installed here: ${said.trim().slice(-400)}`)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // the caller logs the line as not understood
  }
}
