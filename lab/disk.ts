import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { must } from './run.ts'
import { debianSources, sourcesList } from './sources.ts'

/** Permanent properties of a host: its number in the network, and the image and the layer below its disk. */
export type Identity = { number: number; image: string; layer?: string }

const overlayMagic = 0x794c7630 // file system type of overlayfs in statfs(2)
const tmpfsMagic = 0x01021994
const firstNumber = 11

/**
 * Ensures a volume that overlay file systems can use. If the folder is on an overlay itself, mounts a tmpfs; then
 * answers true.
 */
export async function ensureVolume(hosts: string): Promise<boolean> {
  await mkdir(hosts, { recursive: true })
  if ((await statfs(hosts)).type === overlayMagic) {
    await must(['mount', '-t', 'tmpfs', '-o', 'mode=700,size=50%', 'innkeeper-lab', hosts])
  }
  return (await statfs(hosts)).type === tmpfsMagic
}

/** Unmounts the tmpfs of `ensureVolume` when no host has a disk in it. */
export async function dropVolume(hosts: string): Promise<void> {
  const { dev } = await stat(hosts)
  const mounted = dev !== (await stat(dirname(hosts))).dev && (await statfs(hosts)).type === tmpfsMagic
  if (mounted && (await readdir(hosts)).length === 0) await must(['umount', hosts])
}

/** Reads the identity of a host, or creates one with the first free number on the current image and layer. */
export async function identify(
  hosts: string,
  name: string,
  below: Pick<Identity, 'image' | 'layer'>,
): Promise<Identity> {
  const known = await identityOf(join(hosts, name))
  if (known) return known
  const taken = await Promise.all((await readdir(hosts)).map((other) => identityOf(join(hosts, other))))
  let number = firstNumber
  while (taken.some((other) => other?.number === number)) number += 1
  if (number > 254) throw new Error('A lab has at most 244 hosts; wipe some of them')
  const identity = { number, ...below }
  for (const part of ['upper', 'work', 'root', 'image']) await mkdir(join(hosts, name, part), { recursive: true })
  await replace(join(hosts, name, 'host.json'), JSON.stringify(identity))
  return identity
}

/** The identity of the host in this folder; undefined if the host does not exist or was wiped. */
export async function identityOf(dir: string): Promise<Identity | undefined> {
  const file = join(dir, 'host.json')
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Identity) : undefined // only `identify` writes the file
}

/**
 * Writes the files that distinguish this host from the image, while the host is off. Runs once per address, so later
 * changes by staff or an agent stay.
 */
export async function furnish(upper: string, host: { name: string; address: string; gateway: string; proxy: string }) {
  const etc = join(upper, 'etc')
  const hosts = `127.0.0.1 localhost\n${host.address} ${host.name}\n${host.gateway} gateway\n`
  const stamp = join(upper, 'etc/innkeeper-lab')
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === host.address) return
  if (!existsSync(join(etc, 'machine-id'))) {
    await replace(join(etc, 'machine-id'), `${randomUUID().replaceAll('-', '')}\n`)
  }
  await replace(join(etc, 'hostname'), `${host.name}\n`)
  await replace(join(etc, 'hosts'), hosts)
  // The host has no name server: name lookups fail at once instead of timing out.
  await replace(join(etc, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')
  await replace(join(etc, 'apt/sources.list'), sourcesList(await debianSources(), true))
  await replace(join(etc, 'apt/apt.conf.d/90innkeeper'), `Acquire::http::Proxy "${host.proxy}";\n`)
  // a practice server is thrown away: installing packages with every file synced takes twice the time
  await replace(join(etc, 'dpkg/dpkg.cfg.d/innkeeper'), 'force-unsafe-io\n')
  await replace(stamp, host.address)
}

async function replace(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o755 })
  await writeFile(`${file}.new`, content)
  await rename(`${file}.new`, file)
}
