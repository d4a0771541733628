import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A cgroup hierarchy in which a host gets a group of its own. */
export type Group = {
  /** Folder of the group on this machine. */
  path: string
  /** Folder below /sys/fs/cgroup in the host; empty for the single tree of cgroup v2. */
  name: string
  /** Mount options of cgroup v1; empty for v2. */
  options: string
}

const controllers = ['memory', 'pids', 'cpu', 'cpuacct', 'blkio', 'devices']

/** The cgroups for a host called `name`, for v1, v2 or the hybrid layout of this machine. */
export async function groupsFor(name: string): Promise<Group[]> {
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).trim().split('\n').map(parseMount)
  const own = new Map((await readFile('/proc/self/cgroup', 'utf8')).trim().split('\n').map(parseOwn))
  const hybrid = mounts.some((mount) => mount.type === 'cgroup')
  const groups = mounts.flatMap((mount): Group[] => {
    if (mount.type === 'cgroup2') {
      // On pure v2, a group below our own could not have controllers: only groups without processes pass them on.
      const parent = hybrid ? join(mount.at, own.get('') ?? '') : mount.at
      return [{ path: join(parent, name), name: hybrid ? 'unified' : '', options: '' }]
    }
    if (mount.type !== 'cgroup') return []
    const key = [...own.keys()].find(
      (kinds) => kinds !== '' && kinds.split(',').every((kind) => mount.has.includes(kind)),
    )
    const known = key === 'name=systemd' || key?.split(',').some((kind) => controllers.includes(kind))
    if (!key || !known) return []
    const path = join(mount.at, own.get(key) ?? '', name)
    const systemd = key === 'name=systemd'
    return [{ path, name: systemd ? 'systemd' : key, options: systemd ? 'none,name=systemd,xattr' : key }]
  })
  return groups
}

/** Creates the groups and moves a process into each. */
export async function enterGroups(groups: readonly Group[], pid: number): Promise<void> {
  for (const { path, name } of groups) {
    if (name === '') await passControllersOn(dirname(path))
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'cgroup.procs'), String(pid))
  }
}

const PERIOD_US = 100_000

/** Limits all processes of the host together to so many processors, such as 0.2. Throws where no group has processors. */
export async function limitCores(groups: readonly Group[], cores: number): Promise<void> {
  const group = groups.find(({ name }) => name === '' || name.split(',').includes('cpu'))
  if (!group) throw new Error('This machine has no cgroup that limits processors')
  const quota = Math.round(cores * PERIOD_US)
  if (group.name === '') return writeFile(join(group.path, 'cpu.max'), `${quota} ${PERIOD_US}`)
  await writeFile(join(group.path, 'cpu.cfs_period_us'), String(PERIOD_US))
  await writeFile(join(group.path, 'cpu.cfs_quota_us'), String(quota))
}

/**
 * Limits what all processes of the host read from the disk with `folder`, and what they write and wait for, to so many MB
 * a second each. cgroup v1 does not count what the kernel writes later. Throws where no group has disks.
 */
export async function limitDisk(groups: readonly Group[], diskMb: number, folder: string): Promise<void> {
  const group = groups.find(({ name }) => name === '' || name.split(',').includes('blkio'))
  if (!group) throw new Error('This machine has no cgroup that limits disks')
  const disk = await diskOf(folder)
  const bytes = Math.round(diskMb * 1e6)
  if (group.name === '') return writeFile(join(group.path, 'io.max'), `${disk} rbps=${bytes} wbps=${bytes}`)
  for (const way of ['read', 'write'])
    await writeFile(join(group.path, `blkio.throttle.${way}_bps_device`), `${disk} ${bytes}`)
}

/** Numbers of the device with the folder, such as `254:0`. */
async function diskOf(folder: string): Promise<string> {
  const number = (await stat(folder, { bigint: true })).dev
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn)
  const minor = (number & 0xffn) | ((number >> 12n) & ~0xffn)
  return `${major}:${minor}`
}

/**
 * Moves the process that holds the namespaces out of the groups after pid 1 has joined. The host would see it as pid 0,
 * at which systemd fails when it lists processes, and v2 passes on no controllers while a process is in the group.
 */
export async function leaveGroups(groups: readonly Group[], pid: number): Promise<void> {
  const managed = groups.filter(({ name }) => ['systemd', 'unified', ''].includes(name))
  for (const { path } of managed) await writeFile(join(dirname(path), 'cgroup.procs'), String(pid))
}

/**
 * Enables controllers for child groups, which pure v2 requires. Where that is not allowed (in a container), limits have
 * no effect.
 */
async function passControllersOn(parent: string): Promise<void> {
  for (const controller of ['cpu', 'io', 'memory', 'pids']) {
    // the host boots without the controller
    await writeFile(join(parent, 'cgroup.subtree_control'), `+${controller}`).catch(() => {})
  }
}

/** Removes groups and all groups below. Waits up to four minutes for processes that are ending, on a machine that is busy. */
export async function removeGroups(paths: readonly string[]): Promise<void> {
  const last = Date.now() + 240_000
  const remove = async (path: string) => {
    while (existsSync(path) && !(await removeTree(path))) {
      if (Date.now() > last) throw new Error(`${path} still has processes in it`)
      await sleep(10)
    }
  }
  await Promise.all(paths.map(remove))
}

async function removeTree(path: string): Promise<boolean> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    for (const entry of entries) if (entry.isDirectory()) await removeTree(join(path, entry.name))
    await rmdir(path)
    return true
  } catch {
    return false // busy: the kernel is still ending processes; the caller tries again
  }
}

/** Parses `36 32 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory`. */
function parseMount(line: string): { at: string; type: string; has: string[] } {
  const [before = '', after = ''] = line.split(' - ')
  const [type = '', , options = ''] = after.split(' ')
  return { at: before.split(' ')[4] ?? '', type, has: options.split(',') }
}

/** Parses `4:memory:/user.slice` into `memory` and `/user.slice`; the line of v2 has no name. */
function parseOwn(line: string): [string, string] {
  const [, kinds = '', ...path] = line.split(':')
  return [kinds, path.join(':')]
}
