import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { letPass } from '../bin/pass.ts'
import { roles } from '../server/access/roles/tables.ts'
import { hashPassword } from '../server/access/users/signIn/passwords.ts'
import { users } from '../server/access/users/tables.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { emptyDatabase } from '../server/test/emptyDatabase.ts'
import { templateOn } from '../server/test/template.ts'
import { PATIENCE } from './until.ts'

export const repository = join(import.meta.dirname, '..')
/** Folder for all data of these tests; git ignores it. */
export const scratch = join(repository, 'data/test/e2e')
export const password = 'a password for tests'

export interface Answer {
  status: number
  // tests state the expected shape of each answer
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
}
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Wanted {
  /** Uses PGlite in its own folder, even if TEST_POSTGRES names a server. */
  embedded?: boolean
  /** Staff besides `admin`: scopes by user name. All have the password `password`. */
  people?: Record<string, readonly string[]>
  /** Host name by which practice hosts reach this Innkeeper. */
  publicHost?: string
  /** `postgres://…` of an empty database of the caller; default: a new one. */
  database?: string
  /** Folder in which the data folder is created; default: `scratch`. */
  place?: string
  /** Arguments of main.js, such as `--role=api`. */
  args?: readonly string[]
  env?: Record<string, string>
}

/** A real Innkeeper: `node server/main.js` as a process, on free ports, with its own data. */
export class Innkeeper {
  readonly port: number
  readonly dataDir: string
  /** Output of all starts. */
  said = ''
  /** Token of `admin`. */
  token = ''
  #child: ChildProcess | undefined
  /** Environment of the process, for other processes on the same data. */
  readonly env: Record<string, string>
  readonly #args: readonly string[]
  readonly #drop: () => Promise<void>

  private constructor(
    port: number,
    dataDir: string,
    env: Record<string, string>,
    args: readonly string[],
    drop: () => Promise<void>,
  ) {
    this.port = port
    this.dataDir = dataDir
    this.env = env
    this.#args = args
    this.#drop = drop
  }

  /** Starts Innkeeper, waits until it is ready, and signs `admin` in. */
  static async open(wanted: Wanted = {}): Promise<Innkeeper> {
    mkdirSync(scratch, { recursive: true })
    const dataDir = mkdtempSync(join(wanted.place ?? scratch, 'data-'))
    const given = wanted.embedded ? 'memory:' : wanted.database
    const server = process.env.TEST_POSTGRES
    const migrated = server && !given ? await templateOn(server) : undefined
    const place = given ? { url: given, drop: async () => {} } : await emptyDatabase(migrated)
    const embedded = place.url === 'memory:'
    await addPeople(embedded ? join(dataDir, 'db') : place.url, wanted.people ?? {})
    const port = await freePorts()
    const innkeeper = new Innkeeper(
      port,
      dataDir,
      {
        PORT: String(port),
        INNKEEPER_DATA: dataDir,
        INNKEEPER_ADMIN_PASSWORD: password,
        INNKEEPER_PRACTICE: 'off',
        INNKEEPER_PRIVATE_TARGETS: '127.0.0.0/8,10.0.0.0/8,192.168.0.0/16,172.16.0.0/12',
        INNKEEPER_LOG: 'warn',
        ...(wanted.publicHost && { INNKEEPER_PUBLIC_HOST: wanted.publicHost }),
        ...(!embedded && { DATABASE_URL: place.url, INNKEEPER_KEY: 'a key for these tests only' }),
        ...wanted.env,
      },
      wanted.args ?? [],
      place.drop,
    )
    try {
      await innkeeper.start()
      innkeeper.token = await innkeeper.signIn('admin')
    } catch (error) {
      await innkeeper.close()
      throw error
    }
    return innkeeper
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * Starts the process, also after a kill, and waits until it is ready. `more` are environment variables for this start
   * only. Answers the duration in ms.
   */
  async start(more: Record<string, string> = {}): Promise<number> {
    const began = performance.now()
    const child = launch({ ...this.env, ...more }, [], this.#args)
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        this.said += part.toString()
      })
    for (const last = Date.now() + PATIENCE; Date.now() < last; await letPass(20, 'between two looks')) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Innkeeper ended:\n${this.said}`)
      const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined) // not listening yet
      if (answer?.status === 200) return performance.now() - began
    }
    throw new Error(`Innkeeper was not ready after ${PATIENCE} ms:\n${this.said}`)
  }

  /** Kills the process with kill -9. */
  async kill(): Promise<void> {
    await this.signal('SIGKILL')
  }

  /** Sends the signal and waits for the exit. Answers the exit code and the duration in ms. */
  async signal(name: NodeJS.Signals): Promise<{ code: number | null; ms: number }> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return { code: child?.exitCode ?? null, ms: 0 }
    const began = performance.now()
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.kill(name)
    return { code: await ended, ms: performance.now() - began }
  }

  /** Ends the process in any state and deletes its data. */
  async close(): Promise<void> {
    await this.kill()
    await this.#drop()
    rmSync(this.dataDir, { recursive: true, force: true })
  }

  async signIn(user: string, secret = password): Promise<string> {
    const { status, body } = await this.call('POST', '/auth/token', { user, password: secret }, '')
    if (status !== 200) throw new Error(`${user} could not sign in: ${JSON.stringify(body)}`)
    return body.token
  }

  /** Sends a call below /api as `admin`, or with another token; an empty token means signed out. A Blob goes as bytes. */
  async call(method: Method, path: string, body?: unknown, token = this.token): Promise<Answer> {
    const answer = await fetch(`${this.url}/api${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && {
          'content-type': body instanceof Blob ? 'application/octet-stream' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const json = /json/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, body: json && text ? JSON.parse(text) : text }
  }

  /** Sends a call that must succeed and answers its body. */
  async must(method: Method, path: string, body?: unknown, token?: string): Promise<Answer['body']> {
    const answer = await this.call(method, path, body, token)
    if (answer.status < 300) return answer.body
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}

/** Starts a process with exactly this environment plus PATH. It ends with this process, even after kill -9. */
export function launch(
  env: Record<string, string>,
  before: readonly string[] = [],
  args: readonly string[] = [],
): ChildProcess {
  // node's own memory settings, which the floor of the bench has too
  const node = [process.execPath, join(repository, 'server/main.js')]
  const argv = ['--pdeathsig', 'KILL', ...before, ...node, ...args]
  return spawn('setpriv', argv, {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', ...env },
  })
}

/** A free port whose followers are free too: +43 for agents, +80 for previews. */
export async function freePorts(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if ((await Promise.all([port, port + 43, port + 80].map(isFree))).every(Boolean)) return port
  }
  throw new Error('No free ports from 20000 to 30000')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })

async function addPeople(url: string, people: Record<string, readonly string[]>): Promise<void> {
  if (!Object.keys(people).length) return
  const { db, close } = await openDatabase(url)
  const passwordHash = await hashPassword(password)
  for (const [username, scopes] of Object.entries(people)) {
    const [role] = await db
      .insert(roles)
      .values({ name: `Role of ${username}`, scopes: [...scopes] })
      .returning()
    const email = `${username}@example.org`
    await db
      .insert(users)
      .values({ username, email, firstName: 'Some', lastName: username, passwordHash, roleId: role?.id })
  }
  await close()
}
