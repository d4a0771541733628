import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf } from './disk.ts'
import { addressOf, detach, type Network, setLink } from './network.ts'
import { type Power, powerOff, readPower, shutDown } from './power.ts'
import { must, type Ran, type RunOptions, run } from './run.ts'

const namespaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup']
const environment = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'TERM=dumb']

/** Functions of the lab that a host uses. */
export type Parts = {
  name: string
  number: number
  dir: string
  network: () => Network
  /** Boots the host under the lab's lock, or adopts it. Its number may differ after a wipe. */
  boot: () => Promise<{ power: Power; number: number }>
  locked: <T>(work: () => Promise<T>) => Promise<T>
}

/** A practice server. `lab.up(name)` answers one that has booted. */
export class Host {
  readonly name: string
  readonly #parts: Parts
  #number: number
  #power: Power | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#number = parts.number
    this.name = parts.name
  }

  get address(): string {
    return addressOf(this.#parts.network(), this.#number)
  }

  /** Address of this machine in the host's network. */
  get gateway(): string {
    return this.#parts.network().gateway
  }

  /** Pid of the host's pid 1 on this machine. */
  get pid(): number {
    if (!this.#power) throw new Error(`${this.name} is off`)
    return this.#power.pid
  }

  /**
   * Root folder of the host on this machine; changes with each boot. An absolute symlink in it leads into this
   * machine's own root, so read paths with symlinks through `exec`.
   */
  get root(): string {
    return `/proc/${this.pid}/root`
  }

  async isOn(): Promise<boolean> {
    this.#power = await readPower(this.#parts.dir)
    return this.#power !== undefined
  }

  /** Boots the host, or adopts it if it is running. Returns when systemd has started all units. */
  async up(): Promise<void> {
    const { power, number } = await this.#parts.boot()
    this.#power = power
    this.#number = number
    await this.ready()
  }

  /** Waits until the host has booted. Throws with the names of failed units. */
  async ready(timeoutMs = 240_000): Promise<void> {
    for (const last = Date.now() + timeoutMs; Date.now() < last; await sleep(20)) {
      const { stdout } = await this.exec(['systemctl', 'is-system-running', '--wait'], { timeoutMs })
      if (stdout.trim() === 'running') return
      if (stdout.trim() === 'degraded') {
        const failed = await this.exec(['systemctl', '--failed', '--no-legend', '--plain'])
        throw new Error(`${this.name} started with failures: ${failed.stdout.trim()}`)
      }
    }
    throw new Error(`${this.name} was not ready after ${timeoutMs} ms`)
  }

  /**
   * Runs a command in the host as root with a clean environment. The command is outside the host's cgroups, so limits
   * do not apply.
   */
  async exec(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return await run(await this.inside(argv), options)
  }

  /**
   * The argv that runs `argv` in the host, for callers who spawn the process themselves. Throws when the host is off.
   */
  async inside(argv: readonly string[]): Promise<string[]> {
    if (!(await this.isOn())) throw new Error(`${this.name} is off`)
    return ['nsenter', `--target=${this.pid}`, ...namespaces, 'env', '-i', '-C', '/root', ...environment, ...argv]
  }

  /** Cuts the power: kills all processes of the host. The disk stays. */
  async off(): Promise<void> {
    await this.#parts.locked(() => this.#cutPower())
  }

  /** Shuts the host down cleanly, and cuts the power after 15 s. */
  async down(): Promise<void> {
    await shutDown(this.#parts.dir, 15_000)
    await this.off()
  }

  /** Disconnects the network cable. */
  async cut(): Promise<void> {
    await setLink(this.#parts.network(), this.#number, 'down')
  }

  async heal(): Promise<void> {
    await setLink(this.#parts.network(), this.#number, 'up')
  }

  /** Powers the host off and deletes its disk. The next `up` starts with a fresh disk. */
  async wipe(): Promise<void> {
    await this.#parts.locked(async () => {
      await this.#cutPower()
      await rm(this.#parts.dir, { recursive: true, force: true })
    })
  }

  /** Size of the disk beyond the image, in MiB. */
  async diskMb(): Promise<number> {
    const upper = join(this.#parts.dir, 'upper')
    return existsSync(upper) ? Number.parseInt(await must(['du', '--summarize', '--block-size=1M', upper]), 10) : 0
  }

  async #cutPower(): Promise<void> {
    const identity = await identityOf(this.#parts.dir) // a wiped host has no link, and another host may have its number
    // the link first, because processes of the host end one after another and could still send packets about it
    if (identity) await detach(this.#parts.network(), identity.number)
    await powerOff(this.#parts.dir)
    this.#power = undefined
  }
}
