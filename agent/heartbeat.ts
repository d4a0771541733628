import { readFile, statfs } from 'node:fs/promises'
import { arch, availableParallelism, loadavg, networkInterfaces, uptime } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Heartbeat, Service } from '@innkeeper/contract/agent/door'
import { operations } from '@innkeeper/contract/agent/operations'
import { notEnforced, patience } from './kit/host.ts'
import { findServices } from './services.ts'
import { build, version } from './version.ts'

/** Facts and health of this machine, for the heartbeat and for `server.inspect`. */
export async function heartbeat(): Promise<Heartbeat> {
  const [os, up, memory, disk, services, slack] = await Promise.all([
    osName(),
    uptimeOf(),
    memoryOf(),
    diskOf(),
    servicesSoon(),
    notEnforced(),
  ])
  return {
    agentVersion: version,
    build,
    os,
    arch: arch() === 'arm64' ? 'arm64' : 'x64',
    operations: Object.keys(operations),
    uptime: up,
    cores: availableParallelism(),
    load: loadavg()[0] ?? 0,
    memory,
    disk,
    services,
    addresses: addresses(),
    notEnforced: slack,
  }
}

/** Services are asked every third heartbeat, which is most of what an idle agent takes, and after each operation. */
const LOOK_MS = 14_000
let lookedAt = Number.NEGATIVE_INFINITY
/** The next heartbeat asks the services again: an operation has ended. */
export const lookAgain = (): void => {
  lookedAt = Number.NEGATIVE_INFINITY
}

let known: Service[] | undefined
let looking: Promise<Service[]> | undefined
/** The services; as they were before when the machine is too busy to say soon: a heartbeat must not wait for them. */
async function servicesSoon(): Promise<Service[]> {
  if (known && !looking && performance.now() - lookedAt < LOOK_MS) return known
  if (!looking) {
    lookedAt = performance.now()
    looking = findServices().finally(() => {
      looking = undefined
    })
  }
  const before = known
  const late = before && sleep(patience.beatMs, before, { ref: false })
  known = await (late ? Promise.race([looking, late]) : looking)
  return known
}

async function osName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8')
  return (text.match(/^PRETTY_NAME="?([^"\n]*)/m)?.[1] ?? 'Linux').slice(0, 80)
}

/** When pid 1 started, in milliseconds of `performance.now()`. */
let upSince: number | undefined
/** Uptime since the start of pid 1: a container starts later than its kernel. */
async function uptimeOf(): Promise<number> {
  upSince ??= performance.now() - Math.max(0, uptime() - (await startOfInit())) * 1000
  return Math.floor((performance.now() - upSince) / 1000)
}

/** When pid 1 started, in seconds after the kernel's start. */
async function startOfInit(): Promise<number> {
  const stat = await readFile('/proc/1/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // the process name may contain spaces
  return Number(fields[19]) / 100 // of proc(5): clock ticks
}

async function memoryOf(): Promise<Heartbeat['memory']> {
  const text = await readFile('/proc/meminfo', 'utf8')
  const bytes = (key: string) => Number(text.match(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm'))?.[1] ?? 0) * 1024
  return { total: bytes('MemTotal'), used: bytes('MemTotal') - bytes('MemAvailable') }
}

/** Usage of the root file system; blocks reserved for root count as used. */
async function diskOf(): Promise<Heartbeat['disk']> {
  const { blocks, bavail, bsize } = await statfs('/')
  return { total: blocks * bsize, used: (blocks - bavail) * bsize }
}

function addresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outward = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  return outward.map(({ address }) => address).slice(0, 50)
}
