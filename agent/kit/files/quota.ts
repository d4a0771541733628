import { existsSync } from 'node:fs'
import * as z from 'zod'
import { run } from '../programs/run.ts'

/** A mount point, as findmnt names it. */
export interface Mount {
  target: string
  fstype: string
  options: string
}
/** Whether a file system enforces limits per account, or why not. */
export type Quota = { able: true; mount: string } | { able: false; why: string }

const tool = '/usr/sbin/setquota'
/** File systems with quotas per account, and the mount options that enforce them. */
const enforcing: Record<string, RegExp> = {
  ext3: /^(usrquota|usrjquota=.+|quota)$/,
  ext4: /^(usrquota|usrjquota=.+|quota)$/,
  xfs: /^(usrquota|uquota|quota)$/,
  f2fs: /^(usrquota|usrjquota=.+)$/,
  tmpfs: /^(usrquota|quota)$/,
}

/** Whether disk limits below /home are enforced on this machine. */
export async function homeQuota(): Promise<Quota> {
  const ran = await run(['findmnt', '--json', '--output', 'TARGET,FSTYPE,OPTIONS', '--target', '/home'])
  if (ran.code !== 0) return { able: false, why: 'findmnt does not find the file system of /home' }
  const [mount] = (JSON.parse(ran.stdout) as { filesystems: Mount[] }).filesystems // the format of findmnt
  const quota = judge(mount, existsSync(tool))
  if (!quota.able) return quota
  const { stdout } = await run(['quotaon', '--print-state', '--user', quota.mount])
  return isOn(stdout) ? quota : { able: false, why: `${quota.mount} is mounted with usrquota, and quotas are off` }
}

/**
 * Whether quotaon reports quotas as on. A kernel without the quota format mounts with quota options but enforces
 * nothing.
 */
export const isOn = (said: string): boolean => / is on\b(?!.*accounting)/.test(said)

export function judge(mount: Mount | undefined, hasTool: boolean): Quota {
  if (!mount) return { able: false, why: 'findmnt does not say what holds /home' }
  const { target, fstype, options } = mount
  const wanted = enforcing[fstype]
  if (!wanted) return { able: false, why: `/home is on ${fstype}, which has no limits by account` }
  if (!options.split(',').some((one) => wanted.test(one)))
    return { able: false, why: `${target} (${fstype}) is mounted without usrquota` }
  return hasTool ? { able: true, mount: target } : { able: false, why: 'the package quota is not installed' }
}

const kept = z.int().min(0)
/** KiB and files that an account may have; the soft ones may be passed for a while. 0 means no limit. */
export const QuotaLimits = z.object({ softKb: kept, hardKb: kept, softFiles: kept, hardFiles: kept })
export type QuotaLimits = z.output<typeof QuotaLimits>

/** What a disk limit of Innkeeper means: nobody counts files. */
export const ofMb = (mb: number): QuotaLimits => ({ softKb: 0, hardKb: mb * 1024, softFiles: 0, hardFiles: 0 })

/** The command that limits an account on a mount. */
export const quotaCommand = (username: string, limits: QuotaLimits, mount: string): [string, ...string[]] => [
  tool,
  ...['--user', username],
  ...[limits.softKb, limits.hardKb, limits.softFiles, limits.hardFiles].map(String),
  mount,
]

/** What the kernel counts for an account and allows it, in KiB and files. */
export interface Counted extends QuotaLimits {
  usedKb: number
}

/** The limits of an account now, whoever has set them; undefined if it has none, or nothing enforces them. */
export async function quotaOf(uid: number): Promise<QuotaLimits | undefined> {
  const counted = await countedOf(uid)
  if (!counted) return undefined
  const { usedKb: _, ...limits } = counted
  return Object.values(limits).some((one) => one > 0) ? limits : undefined
}

/** What an account uses of its limit; undefined if nothing enforces one. */
export const quotaUse = (who: number | string): Promise<{ usedKb: number; hardKb: number } | undefined> =>
  countedOf(who)

/**
 * Asks the kernel about one account, by its uid or name. `repquota` reads the file of quotas on some disks, which knows nothing of what was written
 * in the last half minute. `quota` ends with 1 when the account has used up its limit.
 */
async function countedOf(who: number | string): Promise<Counted | undefined> {
  const quota = await homeQuota()
  if (!quota.able) return undefined
  const ran = await run([...asks, String(who)])
  if (ran.code > 1) throw new Error(`quota ended with ${ran.code}: ${ran.stderr.trim()}`)
  return countedIn(ran.stdout, quota.mount)
}
const asks = ['quota', '--user', '--verbose', '--no-wrap', '--raw-grace', '--show-mntpoint', '--hide-device'] as const

/** The line of a mount in the answer of quota. A figure at its limit has a star. */
export function countedIn(said: string, mount: string): Counted | undefined {
  const line = said.split('\n').find((one) => one.trim().split(/\s+/)[0] === mount)
  if (!line) return undefined
  const [usedKb, softKb, hardKb, , , softFiles, hardFiles] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((figure) => kept.parse(Number(figure.replace(/\*$/, ''))))
  return { usedKb: kept.parse(usedKb), ...QuotaLimits.parse({ softKb, hardKb, softFiles, hardFiles }) }
}
