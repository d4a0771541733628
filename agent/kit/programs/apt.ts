import { readdir, readlink, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { patience, saysStill } from '../patience/patience.ts'
import { nameOf, workOfProgram } from '../patience/processes.ts'
import { exclusive } from './exclusive.ts'
import type { Ran } from './run.ts'

/** Files that apt and dpkg lock while they work. */
const locks = new Set([
  ...['/var/lib/dpkg/lock-frontend', '/var/lib/dpkg/lock', '/var/lib/apt/lists/lock'],
  '/var/cache/apt/archives/lock',
])
const isHeld = ({ code, stderr }: Ran) =>
  code !== 0 &&
  /Could not get lock|Unable to acquire the dpkg frontend|dpkg (frontend|database) lock (was|is) locked/.test(stderr)

/**
 * Runs `work` while no other program uses the package system: operations run one after another, and each waits for an update
 * that Debian or an administrator has started. The log of the action says which process holds the locks.
 */
export const apt = <T>(work: () => Promise<T>): Promise<T> =>
  exclusive('the packages', async () => {
    await whenFree()
    return work()
  })

/** Runs apt, and again when somebody took its lock between the look and the start. */
export async function whenLocksAreFree(ask: () => Promise<Ran>): Promise<Ran> {
  for (;;) {
    const ran = await ask()
    if (!isHeld(ran)) return ran
    await sleep(patience.lookMs / 2)
    await whenFree()
  }
}

async function whenFree(): Promise<void> {
  let holder = await holderOf()
  if (holder === undefined) return
  let name = await nameOf(holder)
  const end = saysStill(() => `waits for ${name || 'another program'} (process ${holder}), which holds the packages`)
  try {
    let still = 0
    for (let before = ''; holder !== undefined; holder = await holderOf()) {
      name = await nameOf(holder)
      const { busy, ticks, bytes } = await workOfProgram(holder)
      const now = `${holder} ${ticks} ${bytes}`
      still = busy || now !== before ? 0 : still + patience.lookMs
      before = now
      if (still > patience.longMs)
        throw new Error(`${name} (process ${holder}) holds the packages of this server and does nothing: look at it`)
      await sleep(patience.lookMs)
    }
  } finally {
    end()
  }
}

/** A process that has one of the locks open. */
async function holderOf(): Promise<number | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const [open, path] = [`/proc/${pid}/fd/${fd}`, await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')]
      if (locks.has(path) && (await isSame(open, path))) return Number(pid)
    }
  return undefined
}

/** A container on this machine has a file of its own by the same name. */
async function isSame(open: string, path: string): Promise<boolean> {
  const [one, other] = await Promise.all([open, path].map((file) => stat(file).catch(() => undefined)))
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}
