import { existsSync } from 'node:fs'
import { ensureDirectory, replace } from '../files/files.ts'
import { run } from './run.ts'
import { hasSystemd, reloadUnits } from './service.ts'

/** A unit of Debian without a file of its process id: systemd would not notice that the first process is gone. */
interface How {
  pidFile?: string | undefined
}

const text = ({
  pidFile,
}: How) => `# Written by Innkeeper: when memory is full, the kernel kills processes, and this service would stay where it fell.
[Unit]
StartLimitIntervalSec=0

[Service]
Restart=on-abort
RestartSec=2
OOMPolicy=continue
${pidFile ? `PIDFile=${pidFile}\n` : ''}`

/** From now on the service starts again when something has killed it. A unit that starts again by itself stays as it is. */
export async function comesBack(name: string, how: How = {}): Promise<void> {
  if (!hasSystemd()) return
  const folder = `/etc/systemd/system/${name}.service.d`
  const file = `${folder}/innkeeper-return.conf`
  const now = async () => (await run(['systemctl', 'show', '--property=Restart', '--value', `${name}.service`])).stdout
  if (!existsSync(file) && (await now()).trim() !== 'no') return
  await ensureDirectory(folder)
  if (await replace(file, text(how))) await reloadUnits()
}
