import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { hasSystemd, must, read, reloadUnits, remove, replace, run } from '../../kit/host.ts'

type Limits = OperationInput<'system-user.ensure'>['limits']

/*
 * The systemd slice of an account: all its processes share one limit of memory, CPU and tasks. A server without systemd
 * has no slices, and its heartbeat reports that.
 */
const unit = (username: string) => `innkeeper-${username}.slice`
export const sliceFile = (username: string) => `/etc/systemd/system/${unit(username)}`

export const sliceText = (
  username: string,
  { memoryMb, cpuPercent, tasks }: Limits,
) => `# Written by Innkeeper. Changes are overwritten.
[Unit]
Description=Websites of ${username}

[Slice]
MemoryMax=${memoryMb}M
CPUQuota=${cpuPercent}%
TasksMax=${tasks}
`

export const readSlice = (username: string) => read(sliceFile(username))

/** Answers false if this server cannot enforce limits. */
export async function setSlice(username: string, text: string): Promise<boolean> {
  if (!hasSystemd()) return false
  await replace(sliceFile(username), text)
  if (!(await isRead(username))) await reloadUnits()
  return true
}

/** Whether systemd has the present file. It finds a new one by itself; to read all units again takes long on a server with many accounts. */
async function isRead(username: string): Promise<boolean> {
  const properties = ['--property=NeedDaemonReload', '--property=FragmentPath']
  const { stdout } = await run(['systemctl', 'show', ...properties, unit(username)])
  const said = stdout.trim().split('\n')
  return said.includes('NeedDaemonReload=no') && said.includes(`FragmentPath=${sliceFile(username)}`)
}

export async function removeSlice(username: string): Promise<void> {
  if (!hasSystemd() || !(await remove(sliceFile(username)))) return
  await run(['systemctl', 'stop', unit(username)]) // fails if the slice does not run
  await reloadUnits()
}

/** Memory in MiB and number of tasks that an account uses now; null where systemd has no figure. */
export async function sliceUse(username: string): Promise<{ memoryMb: number | null; tasks: number | null }> {
  if (!hasSystemd()) return { memoryMb: null, tasks: null }
  const shown = await must(['systemctl', 'show', '--property=MemoryCurrent', '--property=TasksCurrent', unit(username)])
  const figure = (key: string) => {
    const value = Number(shown.match(new RegExp(`^${key}=(\\d+)$`, 'm'))?.[1] ?? Number.NaN)
    return Number.isSafeInteger(value) ? value : null // systemd prints `[not set]`, or the largest number
  }
  const memory = figure('MemoryCurrent')
  return { memoryMb: memory === null ? null : Math.ceil(memory / 1_048_576), tasks: figure('TasksCurrent') }
}
