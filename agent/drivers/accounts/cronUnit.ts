import { existsSync } from 'node:fs'
import { ensureDirectory, hasSystemd, must, reloadUnits, replace } from '../../kit/host.ts'

const folder = '/etc/systemd/system/cron.service.d'

/**
 * Jobs of accounts see their own processes only: command lines of others contain names and tokens. Jobs of root see all.
 * Running jobs continue when cron restarts, because its unit ends the daemon alone.
 */
export async function hideProcesses(): Promise<void> {
  if (!hasSystemd() || !existsSync('/usr/sbin/cron')) return
  await ensureDirectory(folder)
  const text = '# Written by Innkeeper. Changes are overwritten.\n[Service]\nProtectProc=invisible\n'
  if (!(await replace(`${folder}/innkeeper.conf`, text))) return
  await reloadUnits()
  await must(['systemctl', 'try-restart', 'cron.service'])
}
