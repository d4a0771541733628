import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host } from '@innkeeper/lab/host'
import { must, run } from '@innkeeper/lab/run'

/** A host's disk as a small file system of its own in memory, so that it can be full without anybody else noticing. */
export async function smallDisk(labDir: string, name: string, mb: number): Promise<void> {
  const folder = join(labDir, 'hosts', name)
  await clearDisk(labDir, name)
  await mkdir(folder, { recursive: true })
  await must(['mount', '-t', 'tmpfs', '-o', `mode=700,size=${mb}m`, `storm-${name}`, folder])
}

/** Of a host that is off. Also takes away what an earlier storm left. */
export async function clearDisk(labDir: string, name: string): Promise<void> {
  const folder = join(labDir, 'hosts', name)
  while ((await run(['mountpoint', '-q', folder])).code === 0) await must(['umount', folder])
  await rm(folder, { recursive: true, force: true })
}

const file = '/var/tmp/storm-full'

/** Takes the last byte, in one go; answers how many MiB that were. What a file system keeps for itself goes to the second file. */
export async function fill(host: Host): Promise<number> {
  const script = `free() { df --output=avail -B1 / | tail -n 1; }
    before=$(free); fallocate -l $before ${file}; dd if=/dev/zero of=${file}.rest bs=4k status=none; echo $before $(free)`
  const { stdout } = await host.exec(['sh', '-c', script])
  const [before = 0, left = Number.NaN] = stdout.trim().split(' ').map(Number)
  if (!(left <= 8192)) throw new Error(`${host.name} still has room: ${stdout}`)
  return Math.round(before / 1_048_576)
}

export const free = (host: Host) => host.exec(['rm', '-f', file, `${file}.rest`])
