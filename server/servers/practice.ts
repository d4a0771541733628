import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Practice } from '@innkeeper/contract/servers'
import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod'
import type { App } from '../kit/app.ts'
import { changed } from '../kit/live.ts'
import { enrolmentCommand, newEnrolment } from './enrolment.ts'
import { servers } from './tables.ts'

/** What `lab/practice.ts` says, a JSON line each. */
const Said = z.discriminatedUnion('event', [
  z.object({ event: z.literal('step'), text: z.string(), done: z.number(), total: z.number() }),
  z.object({ event: z.literal('host'), name: z.string(), address: z.string(), gateway: z.string() }),
  z.object({ event: z.literal('ran'), name: z.string(), code: z.number(), output: z.string() }),
  z.object({ event: z.literal('unable'), reason: z.string() }),
  z.object({ event: z.literal('ready') }),
])

export interface PracticeServers {
  state(): Practice
  stop(): Promise<void>
}

/**
 * The practice servers of an embedded start: a child of ours builds and boots them, we make their rows and hand it the
 * enrolment commands. Hosts go off when the child's standard input closes, however we end.
 */
export function startPractice(app: App): PracticeServers {
  const now: Practice = { state: 'off', text: '', done: 0, total: 0, previewPort: app.settings.previewPort }
  if (app.settings.practice !== 'on') return { state: () => now, stop: async () => {} }
  const child = spawn(process.execPath, [join(app.settings.repository, 'lab/practice.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, INNKEEPER_DATA: app.settings.dataDir },
    detached: true, // Ctrl-C of a terminal is for us; we tell it by closing its input
  })
  const tell = (to: Partial<Practice>) => {
    Object.assign(now, to)
    changed(app.db, 'practice').catch((error) => app.log.warn({ err: error }, 'practice: nobody could be told'))
  }
  tell({ state: 'building', text: 'Looking whether this machine can hold practice servers' })

  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = Said.safeParse(parse(line))
    if (!said.success) return app.log.warn({ line }, 'practice: not understood')
    hear(app, child, said.data, tell).catch((error) => {
      app.log.error({ err: error }, 'practice')
      tell({ state: 'unable', text: error instanceof Error ? error.message : String(error) })
    })
  })
  child.on('error', (error) => tell({ state: 'unable', text: error.message }))
  child.on('exit', (code) => {
    if (now.state !== 'unable' && now.state !== 'off' && now.state !== 'here-offered')
      tell({ state: 'unable', text: `The practice servers ended with code ${code}` })
  })
  return {
    state: () => now,
    stop: () =>
      new Promise((resolve) => {
        now.state = 'off'
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        const killer = setTimeout(() => child.kill('SIGKILL'), 1500)
        child.once('exit', () => {
          clearTimeout(killer)
          resolve()
        })
        child.stdin.end()
      }),
  }
}

async function hear(
  app: App,
  child: ChildProcessByStdio<Writable, Readable, null>,
  said: z.output<typeof Said>,
  tell: (to: Partial<Practice>) => void,
): Promise<void> {
  switch (said.event) {
    case 'step':
      return tell({ state: 'building', text: said.text, done: said.done, total: said.total })
    case 'host': {
      tell({ state: 'booting', text: `${said.name} is up at ${said.address}` })
      const command = await enrolHost(app, said.name, said.address, said.gateway)
      if (command) child.stdin.write(`${JSON.stringify({ run: said.name, argv: ['sh', '-c', command] })}\n`)
      return
    }
    case 'ran':
      if (said.code !== 0) throw new Error(`${said.name} could not be enrolled: ${said.output.trim().slice(-400)}`)
      return tell({ state: 'enrolling', text: `${said.name} is enrolled` })
    case 'unable':
      return tell({ state: process.getuid?.() === 0 ? 'here-offered' : 'unable', text: said.reason })
    case 'ready':
      return tell({ state: 'ready', text: 'The practice servers are up', done: 1, total: 1 })
  }
}

/** The row of a practice host, made at first sight; answers the command that enrols it, if it is not yet. */
async function enrolHost(app: App, name: string, address: string, gateway: string): Promise<string | undefined> {
  return app.db.transaction(async (tx) => {
    const [known] = await tx
      .select()
      .from(servers)
      .where(and(eq(servers.name, name), isNull(servers.deletedAt)))
    const [server] = known
      ? await tx.update(servers).set({ address }).where(eq(servers.id, known.id)).returning()
      : await tx
          .insert(servers)
          .values({ name, address, type: 'web', note: 'A practice server on this machine' })
          .returning()
    if (!server) throw new Error(`no row for ${name}`)
    await changed(tx, 'servers', server.id)
    if (server.credentialHash && !server.credentialRevokedAt) return undefined // its disk kept the agent
    const { token } = await newEnrolment(tx, server.id, 'Innkeeper')
    return enrolmentCommand(app, token, gateway)
  })
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // said as "not understood" by the caller
  }
}
