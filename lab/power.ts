import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { enterGroups, type Group, groupsFor, leaveGroups, limitCores, limitDisk, removeGroups } from './cgroups.ts'
import { limitsOfHosts } from './places.ts'

/** A running host: its pid 1 on this machine, the start time of that process, and the cgroups to remove with it. */
export type Power = { pid: number; started: string; groups: string[] }

type Boot = {
  name: string
  address: string
  image: string
  /** Folder of installed packages between the image and the host's own files. */
  layer: string | undefined
  group: string
  attach: (pid: number) => Promise<void>
}

const inner = fileURLToPath(new URL('inner.sh', import.meta.url))

/** The running host of this folder; undefined when it is off, even if power.json exists. */
export async function readPower(dir: string): Promise<Power | undefined> {
  const power = await lastPower(dir)
  return power && (await startOf(power.pid)) === power.started ? power : undefined
}

/**
 * Boots the host in `dir`, which contains upper/, work/, image/ and root/. All mounts are in the host's mount
 * namespace, so killing its pid 1 is a complete power-off. Until it has booted the host dies with this process; then
 * power.json records it.
 */
export async function powerOn(dir: string, boot: Boot): Promise<Power> {
  const limits = limitsOfHosts()
  await powerOff(dir) // cleans up after a host that was killed
  const groups = await groupsFor(boot.group)
  const paths = groups.map((group) => group.path)
  const remember = (power: Power) => writeFile(join(dir, 'power.json'), JSON.stringify(power))
  await removeGroups(paths)
  await remember({ pid: 0, started: '', groups: paths }) // if this process dies, the next one knows what to remove
  const consoleLog = openSync(join(dir, 'console.log'), 'w')
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...values(boot, groups) }
  const child = spawn('sh', [inner, 'enter'], {
    cwd: dir,
    env,
    detached: true,
    stdio: ['pipe', consoleLog, consoleLog],
  })
  closeSync(consoleLog)
  const words = child.stdin
  if (!child.pid || !words) throw new Error('sh could not be started')
  words.on('error', () => {}) // the child ended early; the wait below reports why
  try {
    await enterGroups(groups, child.pid)
    if (limits.cores !== undefined) await limitCores(groups, limits.cores)
    if (limits.diskMb !== undefined) await limitDisk(groups, limits.diskMb, dir)
    words.write('enter\n')
    const pid = await firstChild(child)
    await leaveGroups(groups, child.pid)
    await boot.attach(pid)
    const power = { pid, started: (await startOf(pid)) ?? '', groups: paths }
    await remember(power)
    words.end('boot\n')
    await until(child, async () => (await readlink(`/proc/${pid}/exe`)).endsWith('/systemd'))
    child.unref()
    return power
  } catch (error) {
    child.kill('SIGKILL')
    await removeGroups(paths)
    const said = (await readFile(join(dir, 'console.log'), 'utf8')).trim()
    throw new Error(`${boot.name} did not start: ${said || String(error)}`, { cause: error })
  }
}

/** Cuts the power: ends pid 1 and all processes of the host at once. Also cleans up after a host that was killed. */
export async function powerOff(dir: string): Promise<void> {
  const power = await readPower(dir)
  if (power) process.kill(power.pid, 'SIGKILL')
  await ended(dir, 5000)
  await removeGroups((await lastPower(dir))?.groups ?? [])
  await rm(join(dir, 'power.json'), { force: true })
}

/** Asks systemd to shut down. True if it did so in time. */
export async function shutDown(dir: string, timeoutMs: number): Promise<boolean> {
  const power = await readPower(dir)
  if (power) process.kill(power.pid, poweroffSignal)
  return await ended(dir, timeoutMs)
}

const poweroffSignal = 34 + 4 // SIGRTMIN+4, the signal for systemd to power off

async function ended(dir: string, timeoutMs: number): Promise<boolean> {
  for (const last = Date.now() + timeoutMs; Date.now() < last; await sleep(5)) if (!(await readPower(dir))) return true
  return false
}

function values(boot: Boot, groups: readonly Group[]) {
  const words = groups.map((group) => `${group.name}=${group.options}`).join(' ')
  return {
    ...{ LAB_NAME: boot.name, LAB_ADDRESS: boot.address, LAB_IMAGE: boot.image, LAB_LAYER: boot.layer ?? '' },
    LAB_GROUPS: words,
  }
}

async function firstChild(parent: ChildProcess): Promise<number> {
  let pid = 0
  await until(parent, async () => {
    pid = Number.parseInt(await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8'), 10)
    return pid > 0
  })
  return pid
}

/** Waits up to four minutes; throws at once when the process has ended. */
async function until(child: ChildProcess, met: () => Promise<boolean>): Promise<void> {
  for (const last = Date.now() + 240_000; Date.now() < last; await sleep(2)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`ended with ${child.exitCode}`)
    if (await met().catch(() => false)) return // the /proc entry may be missing while the process starts
  }
  throw new Error('took longer than four minutes')
}

async function lastPower(dir: string): Promise<Power | undefined> {
  try {
    return JSON.parse(await readFile(join(dir, 'power.json'), 'utf8')) as Power // only powerOn writes the file
  } catch {
    return undefined // never started, or power.json is incomplete because the host did not boot
  }
}

/**
 * Start time of a process in ticks since boot; undefined when it has ended. Together with the pid it identifies a
 * process.
 */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') // ended
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state && state !== 'Z' ? rest[18] : undefined
}
