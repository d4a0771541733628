import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** One hierarchy that a host gets a group of its own in. */
export type Group = {
  /** The group's folder as seen from this machine. */
  path: string
  /** Where the host mounts it, under /sys/fs/cgroup; empty for the one tree of cgroup v2. */
  name: string
  /** Mount options of cgroup v1; empty for v2. */
  options: string
}

const controllers = ['memory', 'pids', 'cpu', 'cpuacct', 'blkio', 'devices']

/** The groups for a host called `name`, on v1, v2 or the hybrid of both, as this machine has it. */
export async function groupsFor(name: string): Promise<Group[]> {
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).trim().split('\n').map(parseMount)
  const own = new Map((await readFile('/proc/self/cgroup', 'utf8')).trim().split('\n').map(parseOwn))
  const hybrid = mounts.some((mount) => mount.type === 'cgroup')
  const groups = mounts.flatMap((mount): Group[] => {
    if (mount.type === 'cgroup2') {
      // A group below our own could not have controllers on pure v2: only groups without processes pass them on.
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

/** Makes the groups and moves a process into each. */
export async function enterGroups(groups: readonly Group[], pid: number): Promise<void> {
  for (const { path, name } of groups) {
    if (name === '') await passControllersOn(dirname(path))
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'cgroup.procs'), String(pid))
  }
}

/**
 * Moves the process that holds the namespaces back out, once pid 1 is in. The host sees it as pid 0 at its root: systemd fails
 * over that when it lists processes, and v2 passes no controllers on while a process is there.
 */
export async function leaveGroups(groups: readonly Group[], pid: number): Promise<void> {
  const managed = groups.filter(({ name }) => ['systemd', 'unified', ''].includes(name))
  for (const { path } of managed) await writeFile(join(dirname(path), 'cgroup.procs'), String(pid))
}

/** On pure v2 a group has the controllers that its parent passes on. Where it may not (a container), limits do not bind. */
async function passControllersOn(parent: string): Promise<void> {
  for (const controller of ['cpu', 'io', 'memory', 'pids']) {
    await writeFile(join(parent, 'cgroup.subtree_control'), `+${controller}`).catch(() => {}) // the host boots without it
  }
}

/** Removes groups with all below them; waits up to 2 s for processes that are just ending. */
export async function removeGroups(paths: readonly string[]): Promise<void> {
  const last = Date.now() + 2000
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
    return false // busy: the kernel is still ending its processes; whoever called asks again
  }
}

/** `36 32 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory` */
function parseMount(line: string): { at: string; type: string; has: string[] } {
  const [before = '', after = ''] = line.split(' - ')
  const [type = '', , options = ''] = after.split(' ')
  return { at: before.split(' ')[4] ?? '', type, has: options.split(',') }
}

/** `4:memory:/user.slice` → `memory`, `/user.slice`; the line of v2 has no name. */
function parseOwn(line: string): [string, string] {
  const [, kinds = '', ...path] = line.split(':')
  return [kinds, path.join(':')]
}
