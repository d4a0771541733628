import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Op } from '@innkeeper/contract/agent/door'
import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'
import { rolldown } from 'rolldown'
import { letPass } from '../../bin/pass.ts'
import { bundledTexts } from '../bundled.ts'
import { type Carried, Carrier } from './carrier.ts'
import { limits, poolOf, rootOf, siteOf } from './fixtures.ts'

const repository = join(import.meta.dirname, '../..')
const node = join(repository, `node_modules/node-linux-${process.arch}/bin/node`)
let nextId = 1

/** The part of `@innkeeper/lab` that is used here; only test files may import the package. */
export interface Host {
  readonly root: string
  readonly address: string
  readonly gateway: string
  exec(argv: readonly string[], options?: { input?: string }): Promise<{ code: number; stdout: string; stderr: string }>
  inside(argv: readonly string[]): Promise<string[]>
  off(): Promise<void>
  up(): Promise<void>
  wipe(): Promise<void>
}
type Layer = 'databases' | 'mail' | 'dns'
interface Lab<H extends Host> {
  host(name: string, layer?: Layer): Promise<H>
  up(name: string, layer?: Layer): Promise<H>
  close(): Promise<void>
}
/** One lab for all agent tests, separate from that of `npm start`. */
export const labDir = join(repository, 'data/test/agent-lab')

export interface Asked {
  task?: 'run' | 'undo'
  inspect?: boolean
  /** The action id; a new one by default. */
  id?: number
  attempt?: number
  /** Runs in a process of its own, which ends with the answer. */
  alone?: boolean
}

const serve = ['/opt/test/node', '/opt/test/serve.mjs']
let bundled: Promise<string> | undefined
/** Bundles the drivers into one file that runs in hosts. */
async function bundle(): Promise<string> {
  const made = await rolldown({
    input: join(import.meta.dirname, 'serve.ts'),
    platform: 'node',
    external: /^node:/,
    plugins: [bundledTexts()],
  })
  const { output } = await made.generate({ format: 'esm', codeSplitting: false })
  await made.close()
  return output[0].code
}

/** A fresh practice host with Node and the drivers, and with the packages of the layer. */
export async function practice<H extends Host>(lab: Lab<H>, name: string, layer?: Layer): Promise<Practice<H>> {
  await (await lab.host(name, layer)).wipe()
  const made = new Practice(lab, await lab.up(name, layer))
  await made.bring()
  return made
}

export class Practice<H extends Host> {
  readonly lab: Lab<H>
  readonly host: H
  #within: string[] = []
  #web: 'nginx' | 'apache' = 'nginx'
  /** The action that set up the web server. */
  readonly provisioned = nextId++
  /** The process in the host that runs operations, and the boot that it belongs to. */
  #carrier: { of: string; running: Promise<Carrier> } | undefined
  constructor(lab: Lab<H>, host: H) {
    this.lab = lab
    this.host = host
  }

  async bring(): Promise<void> {
    const folder = `${this.host.root}/opt/test`
    mkdirSync(folder, { recursive: true })
    if (!existsSync(`${folder}/node`)) copyFileSync(node, `${folder}/node`)
    bundled ??= bundle()
    writeFileSync(`${folder}/serve.mjs`, await bundled)
  }

  /** Runs one operation in the host with the agent's own code. */
  async op<N extends OperationName>(name: N, input: OperationInput<N>, asked: Asked = {}): Promise<Carried> {
    return this.anyOp(name, input, asked)
  }

  /** The same, for input that may violate the contract. */
  async anyOp(name: string, input: Record<string, unknown>, asked: Asked = {}): Promise<Carried> {
    const { id = nextId++, attempt = 1, task = 'run', inspect = false, alone } = asked
    const op: Op = { id, attempt, name, subject: 'test:1', lane: 'short', task, inspect, input }
    if (!alone) return (await this.#running()).carry(op)
    const carrier = await this.#start()
    return carrier.carry(op).finally(() => carrier.close())
  }

  async #start(): Promise<Carrier> {
    return new Carrier(await this.host.inside([...this.#within, ...serve]))
  }

  /** One process runs all operations, as in an agent; another one after each boot. */
  async #running(): Promise<Carrier> {
    const of = `${this.host.root} ${this.#within}`
    if (this.#carrier?.of !== of) {
      const before = this.#carrier?.running
      this.#carrier = { of, running: this.#start() }
      ;(await before)?.close()
    }
    const running = await this.#carrier.running
    if (!running.ended) return running
    this.#carrier = undefined
    return this.#running()
  }

  /** Runs an operation that must succeed; throws with its lines otherwise. */
  async done<N extends OperationName>(name: N, input: OperationInput<N>, asked: Asked = {}): Promise<Carried> {
    const carried = await this.op(name, input, asked)
    if (carried.status !== 'done')
      throw new Error(`${name}: ${carried.status}: ${carried.reason}\n${carried.said.join('\n')}`)
    return carried
  }

  /** Kills the operation and its children by SIGKILL `ms` after its start. */
  async killAfter(
    ms: number,
    name: OperationName,
    input: Record<string, unknown>,
    asked: number | Pick<Asked, 'id' | 'task'> = {},
  ): Promise<void> {
    const { id = nextId++, task = 'run' } = typeof asked === 'number' ? { id: asked } : asked
    const base = { attempt: 1, subject: 'test:1', lane: 'short', task, inspect: false } as const
    const carrier = await this.#start()
    await carrier.ready()
    // rejects if the process is killed before the operation ends
    const cut = carrier.carry({ ...base, id, name, input }).catch(() => {})
    await Promise.race([cut, letPass(ms, 'the longest time that the host may take')])
    await carrier.kill()
  }

  /** Runs a command in the host that must succeed; answers its standard output. */
  async sh(...argv: string[]): Promise<string> {
    const ran = await this.host.exec([...this.#within, ...argv])
    if (ran.code !== 0) throw new Error(`${argv.join(' ')}: ${ran.code} ${ran.stderr || ran.stdout}`)
    return ran.stdout
  }

  /** The status and body that curl gets from the host for a name; status 0 if the connection was closed. */
  async get(domain: string, path = '/'): Promise<{ status: number; body: string }> {
    const ran = await this.host.exec([
      'curl',
      '-s',
      '-w',
      '\n%{http_code}',
      '-H',
      `Host: ${domain}`,
      `http://127.0.0.1${path}`,
    ])
    const at = ran.stdout.lastIndexOf('\n')
    return { status: Number(ran.stdout.slice(at + 1)), body: ran.stdout.slice(0, Math.max(at, 0)) }
  }

  /** Sets up a web server and PHP as provisioning does. */
  async provision(web: 'nginx' | 'apache' = 'nginx'): Promise<void> {
    this.#web = web
    if (web === 'apache') {
      await this.done('packages.ensure', { packages: ['apache2', 'ssl-cert'] })
      await this.done('nginx.ensure', {}) // must be stopped by the next operation
    }
    await this.done(`${web}.ensure`, {}, { id: this.provisioned })
    await this.done('php.ensure', { phpVersion: '8.2' })
  }

  /** Creates an account with a website. */
  async website(domain: string, username = 'web1'): Promise<void> {
    await this.done('system-user.ensure', { username, limits })
    await this.done('document-root.ensure', rootOf(domain, username))
    await this.done('php-pool.ensure', poolOf(username))
    await this.done(`${this.#web}-site.ensure`, siteOf(domain, username))
  }

  /** Hides systemd from the agent's code, as in a plain container. */
  async hideSystemd(): Promise<void> {
    const script = 'mount -t tmpfs tmpfs /run/systemd && echo $$ && exec sleep 100000 >/dev/null'
    const started = `(setsid unshare --mount sh -c '${script}' </dev/null 2>/dev/null &) | head -n 1`
    const pid = await this.sh('sh', '-c', started)
    this.#within = ['nsenter', `--target=${pid.trim()}`, '--mount']
  }

  async end(): Promise<void> {
    await this.#carrier?.running.then((carrier) => carrier.close())
    await this.host.wipe()
    await this.lab.close()
  }
}
