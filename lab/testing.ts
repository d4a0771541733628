import { mkdtempSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { can } from './can.ts'
import { type Lab, openLab } from './lab.ts'
import { defaultDir, idOf, imagesDir, settle } from './places.ts'
import { must } from './run.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test was skipped; `npm test` prints it. */
    why?: string
  }
}

/** A new folder for one test file, beside the default lab and on the same volume. */
export function scratch(): string {
  const parent = settle(join(dirname(defaultDir()), 'test'))
  return mkdtempSync(join(parent, 'lab-'))
}

const verdict = await can(settle(join(dirname(defaultDir()), 'test/lab-probe')))

/** For `describe(name, onHosts, …)`: skipped, with the reason, where this machine cannot run practice servers. */
export const onHosts = verdict.able
  ? {}
  : { skip: true, meta: { why: `practice servers are not available: ${verdict.reason}` } }

/** A lab of its own with the shared image. */
export async function scratchLab(dir = scratch()): Promise<Lab> {
  return await openLab({ dir, images: imagesDir() })
}

/** Traces of a lab on this machine: mounts, network links, cgroup folders, and processes in those. */
export type Traces = { mounts: number; links: number; groups: number; processes: number }

export async function tracesOf(dir: string): Promise<Traces> {
  const id = idOf(dir)
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(dir))
  const subnet = Number(JSON.parse(readFileSync(join(dir, 'network.json'), 'utf8')).subnet)
  const links: { ifname: string }[] = JSON.parse(await must(['ip', '-json', 'link', 'show']))
  const groups = await must(['find', '/sys/fs/cgroup', '-type', 'd', '-name', `ink-${id}-*`])
  return {
    mounts: mounts.length,
    links: links.filter(({ ifname }) => ifname === `ink${subnet}` || ifname.startsWith(`ink${subnet}-`)).length,
    groups: groups.split('\n').filter(Boolean).length,
    processes: await countProcesses(`ink-${id}-`),
  }
}

/**
 * Processes in a host's cgroups, except zombies that init has not reaped. Commands started from outside are not in the
 * cgroups.
 */
async function countProcesses(group: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => {
    try {
      const zombie = /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
      return !zombie && readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(group)
    } catch {
      return false // the process has ended
    }
  }).length
}
