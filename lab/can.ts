import { mkdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { groupsFor } from './cgroups.ts'
import { ensureVolume } from './disk.ts'
import { settle } from './places.ts'
import { run } from './run.ts'
import { hasProgram } from './tools.ts'

export type Verdict = { able: true } | { able: false; reason: string }

const programs = { unshare: 'util-linux', nsenter: 'util-linux', setpriv: 'util-linux', mount: 'mount', ip: 'iproute2' }
const namespaces = ['--mount', '--pid', '--fork', '--uts', '--ipc', '--net', '--cgroup']

/**
 * Whether this machine can run practice servers with their disks in `dir`, found by trying each feature once. `reason`
 * is a text for people.
 */
export async function can(dir: string): Promise<Verdict> {
  try {
    await tryAll(dir)
    return { able: true }
  } catch (error) {
    return { able: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

async function tryAll(dir: string): Promise<void> {
  if (process.platform !== 'linux') throw new Error('Practice servers need Linux')
  if (process.getuid?.() !== 0) throw new Error('Practice servers need root')
  if (!(await hasProgram('apt-get'))) throw new Error('Practice servers need apt, which this machine does not have')
  for (const [program, from] of Object.entries(programs)) {
    if (!(await hasProgram(program))) throw new Error(`The program ${program} is missing (Debian package ${from})`)
  }
  await attempt('This machine does not allow new namespaces', ['unshare', ...namespaces, 'true'])
  const isolated = ['unshare', '--net', 'ip', 'link', 'add', 'inkprobe', 'type']
  await attempt('This machine does not allow network bridges', [...isolated, 'bridge'])
  await attempt('This machine does not allow network links', [...isolated, 'veth'])
  await tryOverlay(dir)
  await tryCgroups()
}

async function tryOverlay(dir: string): Promise<void> {
  const hosts = join(settle(dir), 'hosts')
  await ensureVolume(hosts).catch((error: Error) => {
    throw new Error(`No volume for the disks of the practice servers: ${error.message}`)
  })
  const probe = join(hosts, `.probe-${process.pid}`)
  for (const part of ['lower', 'upper', 'work', 'root']) await mkdir(join(probe, part), { recursive: true })
  try {
    const options = 'lowerdir=lower,upperdir=upper,workdir=work'
    const mount = ['env', `--chdir=${probe}`, 'mount', '-t', 'overlay', 'overlay', '-o', options, 'root']
    await attempt('This machine does not allow overlay disks', ['unshare', '--mount', ...mount])
  } finally {
    await rm(probe, { recursive: true, force: true })
  }
}

async function tryCgroups(): Promise<void> {
  const groups = await groupsFor(`ink-probe-${process.pid}`)
  if (!groups.some(({ name }) => name === 'systemd' || name === '')) {
    throw new Error('This machine has no cgroups for systemd')
  }
  for (const { path } of groups) {
    try {
      await mkdir(path)
      await rmdir(path)
    } catch (error) {
      throw new Error(`This machine does not allow new cgroups (${path})`, { cause: error })
    }
  }
}

async function attempt(otherwise: string, argv: readonly string[]): Promise<void> {
  const { code, stderr } = await run(argv, { timeoutMs: 240_000 })
  if (code !== 0) throw new Error(`${otherwise} (${stderr.trim().split('\n')[0]})`)
}
