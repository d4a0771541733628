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

/** What the lab lends a host. */
export type Parts = {
  name: string
  number: number
  dir: string
  network: () => Network
  /** Boots it under the lab's lock, or finds it on. Its number may be another after it was wiped. */
  boot: () => Promise<{ power: Power; number: number }>
  locked: <T>(work: () => Promise<T>) => Promise<T>
}

/** A practice server. `lab.up(name)` gives one that is on and ready. */
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

  /** This machine, as the host sees it. */
  get gateway(): string {
    return this.#parts.network().gateway
  }

  /** Its pid 1 as this machine numbers it. */
  get pid(): number {
    if (!this.#power) throw new Error(`${this.name} is off`)
    return this.#power.pid
  }

  /**
   * Its root folder as seen from this machine; another one after each boot. An absolute symbolic link in there leads into this
   * machine's own root: ask the host itself where a path may be one.
   */
  get root(): string {
    return `/proc/${this.pid}/root`
  }

  async isOn(): Promise<boolean> {
    this.#power = await readPower(this.#parts.dir)
    return this.#power !== undefined
  }

  /** Switches it on, or adopts it where it is on already; returns when systemd says that all has started. */
  async up(): Promise<void> {
    const { power, number } = await this.#parts.boot()
    this.#power = power
    this.#number = number
    await this.ready()
  }

  /** Waits until the host has booted. Throws with the names of the units that failed. */
  async ready(timeoutMs = 60_000): Promise<void> {
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

  /** Runs a command in the host as root, with an environment of its own. It is not in the host's cgroups: its limits do not bind it. */
  async exec(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return await run(await this.inside(argv), options)
  }

  /** The command that runs `argv` in the host, for callers who start it themselves. Throws when the host is off. */
  async inside(argv: readonly string[]): Promise<string[]> {
    if (!(await this.isOn())) throw new Error(`${this.name} is off`)
    return ['nsenter', `--target=${this.pid}`, ...namespaces, 'env', '-i', '-C', '/root', ...environment, ...argv]
  }

  /** As a cut of its power: nothing in it is asked. Its disk stays. */
  async off(): Promise<void> {
    await this.#parts.locked(() => this.#cutPower())
  }

  /** Shuts it down in order, and cuts the power after 15 s. */
  async down(): Promise<void> {
    await shutDown(this.#parts.dir, 15_000)
    await this.off()
  }

  /** Pulls its network cable. */
  async cut(): Promise<void> {
    await setLink(this.#parts.network(), this.#number, 'down')
  }

  async heal(): Promise<void> {
    await setLink(this.#parts.network(), this.#number, 'up')
  }

  /** Off, and its disk is gone; the next `up` begins on a fresh one. */
  async wipe(): Promise<void> {
    await this.#parts.locked(async () => {
      await this.#cutPower()
      await rm(this.#parts.dir, { recursive: true, force: true })
    })
  }

  /** What its disk takes beyond the image, in MiB. */
  async diskMb(): Promise<number> {
    const upper = join(this.#parts.dir, 'upper')
    return existsSync(upper) ? Number.parseInt(await must(['du', '--summarize', '--block-size=1M', upper]), 10) : 0
  }

  async #cutPower(): Promise<void> {
    const identity = await identityOf(this.#parts.dir) // a wiped host has no link, and its number may be another's by now
    // first, so that nothing in there tells of how the rest of it ended: its processes go one after the other
    if (identity) await detach(this.#parts.network(), identity.number)
    await powerOff(this.#parts.dir)
    this.#power = undefined
  }
}
