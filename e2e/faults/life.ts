import type { ChildProcess } from 'node:child_process'

/** A process that is killed and started again. */
export class Life {
  /** Output of all starts. */
  said = ''
  #child: ChildProcess | undefined
  readonly #launch: (more: Record<string, string>) => ChildProcess

  constructor(launch: (more: Record<string, string>) => ChildProcess) {
    this.#launch = launch
  }

  /** `more`: environment variables of this start only. */
  start(more: Record<string, string> = {}): void {
    const child = this.#launch(more)
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        this.said += part.toString()
      })
  }

  get isAlive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name)
  }

  /** Kills the process with kill -9; returns when it has ended. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || !this.isAlive) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
}
