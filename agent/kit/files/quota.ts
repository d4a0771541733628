import { existsSync } from 'node:fs'
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

/** The command that limits an account to a number of MiB on a mount; 0 means no limit. */
export const quotaCommand = (username: string, mb: number, mount: string): [string, ...string[]] => [
  tool,
  ...['--user', username, '0', `${mb * 1024}`, '0', '0', mount],
]
