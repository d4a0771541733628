import { existsSync } from 'node:fs'
import { run } from '../programs/run.ts'

/** The mount that holds a folder, as findmnt names it. */
export interface Mount {
  target: string
  fstype: string
  options: string
}
/** Whether a file system holds accounts to a number of bytes, or why it does not. */
export type Quota = { able: true; mount: string } | { able: false; why: string }

const tool = '/usr/sbin/setquota'
/** File systems that count by account, and the mount options that say that they refuse more. */
const enforcing: Record<string, RegExp> = {
  ext3: /^(usrquota|usrjquota=.+|quota)$/,
  ext4: /^(usrquota|usrjquota=.+|quota)$/,
  xfs: /^(usrquota|uquota|quota)$/,
  f2fs: /^(usrquota|usrjquota=.+)$/,
  tmpfs: /^(usrquota|quota)$/,
}

/** What becomes of disk limits below /home on this machine. */
export async function homeQuota(): Promise<Quota> {
  const ran = await run(['findmnt', '--json', '--output', 'TARGET,FSTYPE,OPTIONS', '--target', '/home'])
  if (ran.code !== 0) return { able: false, why: 'findmnt does not say what holds /home' }
  const [mount] = (JSON.parse(ran.stdout) as { filesystems: Mount[] }).filesystems // findmnt's own form
  const quota = judge(mount, existsSync(tool))
  if (!quota.able) return quota
  const { stdout } = await run(['quotaon', '--print-state', '--user', quota.mount])
  return isOn(stdout) ? quota : { able: false, why: `${quota.mount} is mounted with usrquota, and quotas are off` }
}

/** What quotaon says of a mount. A kernel without the format of quotas mounts it all the same, and holds nobody to anything. */
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

/** At most so many MiB of an account on that mount; 0: any number. The command that says so. */
export const quotaCommand = (username: string, mb: number, mount: string): [string, ...string[]] => [
  tool,
  ...['--user', username, '0', `${mb * 1024}`, '0', '0', mount],
]
