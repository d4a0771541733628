import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AptProxy, aptProxyPort, openAptProxy } from './apt-proxy.ts'
import { dropVolume, ensureVolume, furnish, identify, identityOf } from './disk.ts'
import { Host } from './host.ts'
import { ensureImage, type OnStep } from './image.ts'
import { ensureLayer, type Layer, layerFolder, layerHost } from './layers.ts'
import { withLock } from './lock.ts'
import { addressOf, attach, dropNetwork, ensureNetwork, hold, isAttached, type Network, release } from './network.ts'
import { defaultDir, idOf, imagesDir, settle } from './places.ts'
import { type Power, powerOn, readPower } from './power.ts'

export type LabOptions = {
  /** Folder of the lab; default: `INNKEEPER_DATA`/lab. Two folders are two labs with separate networks. */
  dir?: string
  /** Folder of the images; by default shared by all labs of a clone (`INNKEEPER_LAB_IMAGE`). */
  images?: string
}

const hostName = /^[a-z][a-z0-9-]{0,11}$/

/** Opens a lab and its network. Running hosts stay as they are. */
export async function openLab(options: LabOptions = {}): Promise<Lab> {
  const dir = settle(options.dir ?? defaultDir())
  const locked = <T>(work: () => Promise<T>) => withLock(`lab ${dir}`, work)
  const { inMemory, network } = await locked(async () => ({
    inMemory: await ensureVolume(join(dir, 'hosts')),
    network: await ensureNetwork(dir),
  }))
  const images = settle(options.images ?? imagesDir())
  const proxy = await openAptProxy(network.gateway, { kept: join(images, 'packages') })
  return new Lab({ dir, images, inMemory, network, proxy, locked })
}

type Opened = {
  dir: string
  images: string
  inMemory: boolean
  network: Network
  proxy: AptProxy
  locked: <T>(work: () => Promise<T>) => Promise<T>
}

export class Lab {
  readonly #lab: Opened
  readonly #hosts = new Map<string, Host>()
  readonly #raised = new Set<Host>()
  #closed = false
  #holds = false

  constructor(opened: Opened) {
    this.#lab = opened
  }

  get dir(): string {
    return this.#lab.dir
  }

  /**
   * True if the disks of the hosts are in memory, because the lab's folder cannot hold overlays. They are lost at a
   * reboot.
   */
  get inMemory(): boolean {
    return this.#lab.inMemory
  }

  get network(): Network {
    return this.#lab.network
  }

  /** Builds the image if necessary, which takes half a minute. Answers its name. */
  async image(onStep?: OnStep, signal?: AbortSignal): Promise<string> {
    return await ensureImage(this.#lab.images, onStep, signal)
  }

  /** Boots a host, creating it the first time, or adopts a running one. Returns when the host has booted. */
  async up(name: string, layer?: Layer): Promise<Host> {
    const host = await this.host(name, layer)
    this.#raised.add(host)
    await host.up()
    return host
  }

  /**
   * The host of this name, on or off. A new name gets an address and an empty disk, with the packages of the layer if one is
   * named and this machine can keep layers.
   */
  async host(name: string, layer?: Layer): Promise<Host> {
    if (!hostName.test(name)) throw new Error(`“${name}” is not a host name: a letter, then up to 11 of a-z, 0-9 and -`)
    // a host that exists says itself from what it was made
    const below = (await identityOf(this.#folder(name))) ?? (await this.#below(layer))
    const { number } = await this.#lab.locked(() => identify(this.#folder(), name, below))
    const known = this.#hosts.get(name)
    if (known) return known
    const dir = this.#folder(name)
    const network = () => this.#lab.network
    const host = new Host({ name, number, dir, network, boot: () => this.#boot(name, layer), locked: this.#lab.locked })
    this.#hosts.set(name, host)
    return host
  }

  /** Names of all hosts with a disk, on or off. */
  async names(): Promise<string[]> {
    const entries = await readdir(this.#folder())
    const known = await Promise.all(entries.map((name) => identityOf(this.#folder(name))))
    return entries.filter((_, i) => known[i]).sort()
  }

  /** Powers off the hosts that this object started, and removes the network when no host uses it. Disks stay. */
  async close(): Promise<void> {
    this.#closed = true
    for (const host of this.#raised) await host.off()
    await this.leave()
  }

  /** Keeps the network up until `leave`, also while no host uses it. */
  async hold(): Promise<void> {
    this.#holds = true
    await this.#lab.locked(() => hold(this.#lab.network))
  }

  /** Closes the lab without touching its hosts. */
  async leave(): Promise<void> {
    this.#closed = true
    await this.#lab.proxy.close()
    await this.#lab.locked(async () => {
      if (this.#holds) await release(this.#lab.network)
      await dropNetwork(this.dir, this.#lab.network)
      await dropVolume(this.#folder())
    })
  }

  /** Ends all hosts and deletes the lab's folder. An image in another folder stays. */
  async wipe(): Promise<void> {
    for (const name of await this.names()) await (await this.host(name)).wipe()
    await this.close()
    await rm(this.dir, { recursive: true, force: true })
  }

  async #below(layer: Layer | undefined): Promise<{ image: string; layer?: string }> {
    const image = await this.image()
    if (!layer || this.#lab.inMemory) return { image }
    const folder = await layerFolder(this.#lab.images, image, layer)
    return { image, layer: await ensureLayer(folder, layer, (dir, packages) => this.#install(dir, packages)) }
  }

  /** Installs packages in a host of a new lab, and answers the host's disk. */
  async #install(dir: string, packages: readonly string[]): Promise<string> {
    const lab = await openLab({ dir, images: this.#lab.images })
    try {
      const host = await lab.up(layerHost)
      const apt = 'apt-get --quiet update && apt-get --quiet --yes install --no-install-recommends "$@"'
      const argv = ['env', 'DEBIAN_FRONTEND=noninteractive', 'sh', '-c', apt, 'sh', ...packages]
      const { code, stderr } = await host.exec(argv, { timeoutMs: 900_000 })
      if (code !== 0) throw new Error(`No layer with ${packages.join(', ')}: ${stderr.trim().slice(-500)}`)
      await host.down()
      return join(dir, 'hosts', layerHost, 'upper')
    } finally {
      await lab.close()
    }
  }

  async #boot(name: string, wanted: Layer | undefined): Promise<{ power: Power; number: number }> {
    const below = await this.#below(wanted)
    return await this.#lab.locked(async () => {
      if (this.#closed) throw new Error(`${name} was not started: its lab has been closed`)
      const dir = this.#folder(name)
      // A wiped host gets a new identity; a network that another process of this lab removed is created again.
      const identity = await identify(this.#folder(), name, below)
      const running = await readPower(dir)
      if (running && (await isAttached(this.#lab.network, identity.number)))
        return { power: running, number: identity.number }
      // a host that runs without a link was being powered off when its lab ended: it is booted again
      const network = await ensureNetwork(this.dir)
      this.#lab.network = network
      const folder = join(this.#lab.images, identity.image)
      if (![folder, identity.layer ?? folder].every((path) => existsSync(path)))
        throw new Error(`The image that ${name} was made from is gone; wipe ${name}`)
      const { gateway } = network
      const address = addressOf(network, identity.number)
      await furnish(join(dir, 'upper'), { name, address, gateway, proxy: `http://${gateway}:${aptProxyPort}` })
      const power = await powerOn(dir, {
        name,
        address,
        image: folder,
        layer: identity.layer,
        group: `ink-${idOf(this.dir)}-${name}`,
        attach: (pid) => attach(network, identity.number, pid),
      })
      return { power, number: identity.number }
    })
  }

  #folder(name = ''): string {
    return join(this.dir, 'hosts', name)
  }
}
