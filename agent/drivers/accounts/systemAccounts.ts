import { readdir, readFile } from 'node:fs/promises'
import { run, until } from '../../kit/host.ts'

export interface Account {
  uid: number
  gid: number
  home: string
}

/** The account as `getent passwd` lists it. */
export async function accountOf(username: string): Promise<Account | undefined> {
  const ran = await run(['getent', 'passwd', username])
  if (ran.code === 2) return undefined
  const [name, , uid, gid, , home = ''] = ran.stdout.trim().split(':')
  if (ran.code !== 0 || name !== username)
    throw new Error(`getent does not know about ${username}: ${ran.stderr.trim()}`)
  return { uid: Number(uid), gid: Number(gid), home }
}

export interface SiteAccount extends Account {
  username: string
}

/** The account of a website owner. Throws if there is none, or if the name is a system account of the server. */
export async function siteAccount(username: string): Promise<SiteAccount> {
  const account = await accountOf(username)
  if (!account) throw new Error(`${username} has no account on this server`)
  if (account.uid < 1000 || account.home !== `/home/${username}`)
    throw new Error(`${username} is a system account of this server`)
  return { ...account, username }
}

/** The line of an account in /etc/shadow. A killed useradd or userdel may leave an account without one. */
export async function shadowOf(username: string): Promise<string | undefined> {
  const ran = await run(['getent', 'shadow', username])
  if (ran.code !== 0 && ran.code !== 2) throw new Error(`getent does not know about ${username}: ${ran.stderr.trim()}`)
  return ran.code === 0 ? ran.stdout : undefined
}

/** useradd refuses a name that a group has: `video` and `staff` are groups of Debian. */
export const hasGroup = async (name: string) => (await run(['getent', 'group', name])).code === 0

/** The gid of a group; throws if there is no such group. */
export async function groupId(name: string): Promise<number> {
  const [, , gid] = (await run(['getent', 'group', name])).stdout.split(':')
  if (!gid) throw new Error(`this machine has no group ${name}`)
  return Number(gid)
}

/** Ends all processes of an account, and repeats until none is left, because a process may start another one. */
export async function endProcesses(uid: number): Promise<number> {
  const ended = new Set<number>()
  return until({
    what: `the processes of uid ${uid} end`,
    async look() {
      const alive = await processesOf(uid)
      for (const pid of alive) {
        ended.add(pid)
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // the process ended by itself
        }
      }
      if (alive.length) throw new Error(`processes of uid ${uid} do not end`)
      return ended.size
    },
  })
}

async function processesOf(uid: number): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '') // the process has ended
    const dead = /^State:\s+[ZX]/m.test(status)
    if (!dead && new RegExp(`^Uid:.*\\b${uid}\\b`, 'm').test(status)) found.push(Number(name))
  }
  return found
}
