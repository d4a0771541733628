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

/** Programs that a driver starts have process groups of their own: a signal to ours would not reach them. */
const descendants = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendants(child)])

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return [] // it has just ended
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has just ended by itself
  }
}

/** A process inside a host that carries out operations with the agent's own drivers: see serve.ts. */
export class Carrier {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  readonly #ready = Promise.withResolvers<void>()
  #complained = ''
  #next = 1
  ended = false

  /** `argv` runs serve.ts in the host. Its process group is its own, so that `kill` reaches what it has started. */
  constructor(argv: readonly string[]) {
    const [program = '', ...args] = argv
    this.#child = spawn(program, args, { stdio: 'pipe', detached: true })
    const { stdin, stdout, stderr } = this.#child
    this.#ready.promise.catch(() => {}) // whoever waits for it hears of it
    stdin?.on('error', () => {}) // it has ended: `close` tells
    stderr?.on('data', (part: Buffer) => {
      this.#complained = (this.#complained + part.toString()).slice(-4000)
    })
    if (stdout) createInterface({ input: stdout }).on('line', (line) => this.#hear(JSON.parse(line)))
    this.#child.on('error', (error) => this.#end(error.message))
    this.#child.on('close', () => this.#end(this.#complained))
  }

  /** Carries out one operation; rejects when the process ends, or takes longer than `timeoutMs`. */
  async carry(op: Op, timeoutMs: number): Promise<Carried> {
    await this.#ready.promise
    const { promise, resolve, reject } = Promise.withResolvers<Carried>()
    if (this.ended) throw new Error(`no answer: ${this.#complained}`)
    const n = this.#next++
    this.#waiting.set(n, { said: [], resolve, reject })
    this.#child.stdin?.write(`${JSON.stringify({ n, op })}\n`)
    const late = setTimeout(() => {
      this.#complained += `\n${op.name} took longer than ${timeoutMs} ms`
      this.kill()
    }, timeoutMs)
    return promise.finally(() => clearTimeout(late))
  }

  /** Returns once the process has read its code and takes operations. */
  ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Lets it end by itself. */
  close(): void {
    this.#child.stdin?.end()
  }

  /** SIGKILL to it and to what it has started. Returns when it has ended. */
  async kill(): Promise<void> {
    const { pid } = this.#child
    if (this.ended || !pid) return
    const gone = new Promise((resolve) => this.#child.once('close', resolve))
    process.kill(-pid, 'SIGSTOP') // so that it starts nothing while we look
    for (const one of [pid, ...descendants(pid)]) end(one)
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
