import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { enterGroups, type Group, groupsFor, leaveGroups, removeGroups } from './cgroups.ts'

/** A host that is on: its pid 1 as this machine numbers it, when that began, and the cgroups to take away with it. */
export type Power = { pid: number; started: string; groups: string[] }

type Boot = { name: string; address: string; image: string; group: string; attach: (pid: number) => Promise<void> }

const inner = fileURLToPath(new URL('inner.sh', import.meta.url))

/** What is on in this host folder; undefined when it is off, whatever its file says. */
export async function readPower(dir: string): Promise<Power | undefined> {
  const power = await lastPower(dir)
  return power && (await startOf(power.pid)) === power.started ? power : undefined
}

/**
 * Boots the host in `dir` (upper/, work/, image/, root/ stand there). All mounts live in the host's own mount namespace, so that
 * killing its pid 1 is a complete power-off. Until it boots it dies with us, and power.json knows it from then on.
 */
export async function powerOn(dir: string, boot: Boot): Promise<Power> {
  await powerOff(dir) // what a host leaves that was killed from outside
  const groups = await groupsFor(boot.group)
  const paths = groups.map((group) => group.path)
  const remember = (power: Power) => writeFile(join(dir, 'power.json'), JSON.stringify(power))
  await removeGroups(paths)
  await remember({ pid: 0, started: '', groups: paths }) // whoever comes after our death knows what to clear
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
  words.on('error', () => {}) // it ended early: the wait below says why
  try {
    await enterGroups(groups, child.pid)
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

/** Cuts the power: pid 1 and all of the host ends at once. Also clears what a host left that ended otherwise. */
export async function powerOff(dir: string): Promise<void> {
  const power = await readPower(dir)
  if (power) process.kill(power.pid, 'SIGKILL')
  await ended(dir, 5000)
  await removeGroups((await lastPower(dir))?.groups ?? [])
  await rm(join(dir, 'power.json'), { force: true })
}

/** Asks systemd to shut down. True when it did within the time. */
export async function shutDown(dir: string, timeoutMs: number): Promise<boolean> {
  const power = await readPower(dir)
  if (power) process.kill(power.pid, poweroffSignal)
  return await ended(dir, timeoutMs)
}

const poweroffSignal = 34 + 4 // SIGRTMIN+4, by which systemd is told to power off

async function ended(dir: string, timeoutMs: number): Promise<boolean> {
  for (const last = Date.now() + timeoutMs; Date.now() < last; await sleep(5)) if (!(await readPower(dir))) return true
  return false
}

function values(boot: Boot, groups: readonly Group[]) {
  const words = groups.map((group) => `${group.name}=${group.options}`).join(' ')
  return { LAB_NAME: boot.name, LAB_ADDRESS: boot.address, LAB_IMAGE: boot.image, LAB_GROUPS: words }
}

async function firstChild(parent: ChildProcess): Promise<number> {
  let pid = 0
  await until(parent, async () => {
    pid = Number.parseInt(await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8'), 10)
    return pid > 0
  })
  return pid
}

/** Waits up to 20 s; throws at once when the process has ended. */
async function until(child: ChildProcess, met: () => Promise<boolean>): Promise<void> {
  for (const last = Date.now() + 20_000; Date.now() < last; await sleep(2)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`ended with ${child.exitCode}`)
    if (await met().catch(() => false)) return // its /proc entry comes and goes while it starts
  }
  throw new Error('took longer than 20 s')
}

async function lastPower(dir: string): Promise<Power | undefined> {
  try {
    return JSON.parse(await readFile(join(dir, 'power.json'), 'utf8')) as Power // only powerOn writes it
  } catch {
    return undefined // it was never on, or its power.json was cut off: then it did not boot
  }
}

/** When a process began, in ticks since the machine did; undefined when it has ended. With the pid it names a process for good. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') // ended
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state && state !== 'Z' ? rest[18] : undefined
}
