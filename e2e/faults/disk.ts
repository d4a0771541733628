import { mkdir, rm } from 'node:fs/promises'
import { must, type Ran, run } from '@innkeeper/lab/run'

/** Mounts a folder as a small file system in memory, so that it can be filled without side effects. */
export async function smallDisk(folder: string, mb: number, mode = 755): Promise<void> {
  await clearDisk(folder)
  await mkdir(folder, { recursive: true })
  await must(['mount', '-t', 'tmpfs', '-o', `mode=${mode},size=${mb}m`, 'storm', folder])
}

/** Unmounts the file system when unused. Also cleans up after an earlier run. */
export async function clearDisk(folder: string): Promise<void> {
  while ((await run(['mountpoint', '-q', folder])).code === 0) await must(['umount', folder])
  await rm(folder, { recursive: true, force: true })
}

/** A disk: a folder on it, and `exec` of this machine or a host. */
export interface Disk {
  folder: string
  exec(argv: string[]): Promise<Ran>
}

const fileOn = ({ folder }: Disk) => `${folder}/storm-full`

/**
 * Fills the disk to the last byte and answers the number of MiB. The second file takes the blocks that the file system
 * reserves.
 */
export async function fill(disk: Disk): Promise<number> {
  const file = fileOn(disk)
  const script = `free() { df --output=avail -B1 ${disk.folder} | tail -n 1; }
    before=$(free); fallocate -l $before ${file}; dd if=/dev/zero of=${file}.rest bs=4k status=none; echo $before $(free)`
  const { stdout } = await disk.exec(['sh', '-c', script])
  const [before = 0, left = Number.NaN] = stdout.trim().split(' ').map(Number)
  if (!(left <= 8192)) throw new Error(`${disk.folder} still has room: ${stdout}`)
  return Math.round(before / 1_048_576)
}

export const free = (disk: Disk) => disk.exec(['rm', '-f', fileOn(disk), `${fileOn(disk)}.rest`])
