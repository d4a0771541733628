import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { must } from './run.ts'
import { debianSources, sourcesList } from './sources.ts'

/** What a host is for good: its number in the network and the image its disk was begun on. */
export type Identity = { number: number; image: string }

const overlayMagic = 0x794c7630 // as statfs(2) names file systems
const tmpfsMagic = 0x01021994
const firstNumber = 11

/** Hosts need a volume that an overlay can lie on. Where the folder is an overlay itself, memory takes its place: then true. */
export async function ensureVolume(hosts: string): Promise<boolean> {
  await mkdir(hosts, { recursive: true })
  if ((await statfs(hosts)).type === overlayMagic) {
    await must(['mount', '-t', 'tmpfs', '-o', 'mode=700,size=50%', 'innkeeper-lab', hosts])
  }
  return (await statfs(hosts)).type === tmpfsMagic
}

/** Gives the memory of `ensureVolume` back, once no host has a disk in it. */
export async function dropVolume(hosts: string): Promise<void> {
  const { dev } = await stat(hosts)
  const mounted = dev !== (await stat(dirname(hosts))).dev && (await statfs(hosts)).type === tmpfsMagic
  if (mounted && (await readdir(hosts)).length === 0) await must(['umount', hosts])
}

/** Reads who a host is, or makes it somebody: the first free number and today's image. */
export async function identify(hosts: string, name: string, image: string): Promise<Identity> {
  const known = await identityOf(join(hosts, name))
  if (known) return known
  const taken = await Promise.all((await readdir(hosts)).map((other) => identityOf(join(hosts, other))))
  let number = firstNumber
  while (taken.some((other) => other?.number === number)) number += 1
  if (number > 254) throw new Error('A lab has room for 244 hosts; wipe some')
  const identity = { number, image }
  for (const part of ['upper', 'work', 'root', 'image']) await mkdir(join(hosts, name, part), { recursive: true })
  await replace(join(hosts, name, 'host.json'), JSON.stringify(identity))
  return identity
}

/** Who the host in this folder is; undefined when it was never made, or wiped. */
export async function identityOf(dir: string): Promise<Identity | undefined> {
  const file = join(dir, 'host.json')
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Identity) : undefined // only identify writes it
}

/**
 * Writes the files that make a root file system this host, into the upper layer while the host is off. Once for each address:
 * what staff or an agent changed in them later stays.
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
  // No name server out there: names fail at once rather than after a time-out.
  await replace(join(etc, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')
  await replace(join(etc, 'apt/sources.list'), sourcesList(await debianSources(), true))
  await replace(join(etc, 'apt/apt.conf.d/90innkeeper'), `Acquire::http::Proxy "${host.proxy}";\n`)
  await replace(stamp, host.address)
}

async function replace(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o755 })
  await writeFile(`${file}.new`, content)
  await rename(`${file}.new`, file)
}
