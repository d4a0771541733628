import type { OperationInput } from '@innkeeper/contract/agent'
import { hasSystemd, must, read, remove, replace, run } from '../kit/host.ts'

type Limits = OperationInput<'system-user.ensure'>['limits']

/*
 * The systemd slice of an account: what runs in it shares one memory, CPU and task limit. Without systemd there are none,
 * and the heartbeat says so.
 */
const unit = (username: string) => `innkeeper-${username}.slice`
const file = (username: string) => `/etc/systemd/system/${unit(username)}`

export const sliceText = (
  username: string,
  { memoryMb, cpuPercent, tasks }: Limits,
) => `# Written by Innkeeper; what is changed here is written over.
[Unit]
Description=Websites of ${username}

[Slice]
MemoryMax=${memoryMb}M
CPUQuota=${cpuPercent}%
TasksMax=${tasks}
`

export const readSlice = (username: string) => read(file(username))

/** Answers false where this machine cannot enforce limits. */
export async function setSlice(username: string, text: string): Promise<boolean> {
  if (!hasSystemd()) return false
  const changed = await replace(file(username), text)
  const stale = await run(['systemctl', 'show', '--property=NeedDaemonReload', '--value', unit(username)])
  if (changed || stale.stdout.trim() === 'yes') await must(['systemctl', 'daemon-reload'])
  return true
}

export async function removeSlice(username: string): Promise<void> {
  if (!hasSystemd() || !(await remove(file(username)))) return
  await run(['systemctl', 'stop', unit(username)]) // it may not run: then there is nothing to stop
  await must(['systemctl', 'daemon-reload'])
}
