import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Answer, Op } from '@innkeeper/contract/agent/door'

export interface Carried extends Answer {
  said: string[]
}
interface Line {
  ready?: true
  n: number
  said?: string
  answer?: Answer
}
interface Waiting {
  said: string[]
  resolve(carried: Carried): void
  reject(error: Error): void
}

/**
 * All descendants: a driver's programs have process groups of their own, which a signal to this group does not reach.
 */
const descendants = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendants(child)])

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return [] // the process has ended
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // the process ended by itself
  }
}

/** How long a test waits for one operation. A busy machine is late, not wrong: only an operation that hangs takes this long. */
export const PATIENCE_MS = 600_000

/** A process inside a host that runs operations with the agent's drivers; see serve.ts. */
export class Carrier {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  readonly #ready = Promise.withResolvers<void>()
  #complained = ''
  #next = 1
  ended = false

  /** `argv` runs serve.ts in the host, in its own process group, so that `kill` reaches its children. */
  constructor(argv: readonly string[]) {
    const [program = '', ...args] = argv
    this.#child = spawn(program, args, { stdio: 'pipe', detached: true })
    const { stdin, stdout, stderr } = this.#child
    this.#ready.promise.catch(() => {}) // those who await it handle the rejection
    stdin?.on('error', () => {}) // the process has ended; `close` handles that
    stderr?.on('data', (part: Buffer) => {
      this.#complained = (this.#complained + part.toString()).slice(-4000)
    })
    if (stdout) createInterface({ input: stdout }).on('line', (line) => this.#hear(JSON.parse(line)))
    this.#child.on('error', (error) => this.#end(error.message))
    this.#child.on('close', () => this.#end(this.#complained))
  }

  /** Runs one operation; rejects when the process ends or after `PATIENCE_MS`. */
  async carry(op: Op): Promise<Carried> {
    await this.#ready.promise
    const { promise, resolve, reject } = Promise.withResolvers<Carried>()
    if (this.ended) throw new Error(`no answer: ${this.#complained}`)
    const n = this.#next++
    this.#waiting.set(n, { said: [], resolve, reject })
    this.#child.stdin?.write(`${JSON.stringify({ n, op })}\n`)
    const late = setTimeout(() => {
      this.#complained += `\n${op.name} took longer than ${PATIENCE_MS} ms`
      this.kill().catch(reject)
    }, PATIENCE_MS)
    return promise.finally(() => clearTimeout(late))
  }

  /** Resolves once the process accepts operations. */
  ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Lets the process end by itself. */
  close(): void {
    this.#child.stdin?.end()
  }

  /** Kills the process and its children by SIGKILL; resolves when it has ended. */
  async kill(): Promise<void> {
    const { pid } = this.#child
    if (this.ended || !pid) return
    const gone = new Promise((resolve) => this.#child.once('close', resolve))
    process.kill(-pid, 'SIGSTOP') // stop the process first, so that it starts no further children
    for (const one of descendants(pid)) end(one)
    // /proc may miss a child that is being forked: it is stopped in this group, and holds the pipes open
    end(-pid)
    await gone
  }

  #hear({ ready, n, said, answer }: Line): void {
    if (ready) this.#ready.resolve()
    const waiting = this.#waiting.get(n)
    if (said !== undefined) waiting?.said.push(said)
    if (!answer) return
    this.#waiting.delete(n)
    waiting?.resolve({ ...answer, said: waiting.said })
  }

  #end(why: string): void {
    this.ended = true
    const error = new Error(`no answer: ${why}`)
    this.#ready.reject(error)
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
