import { ensureBase, ensureDirectory, hasSystemd, reloadUnits, replace } from '../../kit/host.ts'
import { ask, folderOf, newest, programOf } from './ask.ts'
import { slowSettings } from './slowLog.ts'

/** PostgreSQL, the newest cluster of the machine: the account postgres connects by the socket, all others by password. */
export const postgresql = ensureBase<'postgresql.ensure'>(({ listen }) => {
  const version = newest()
  return {
    title: 'PostgreSQL',
    unit: `postgresql@${version}-main`,
    program: programOf('postgres'),
    files: {
      [`${folderOf(version)}/conf.d/innkeeper.conf`]: {
        text: `# Written by Innkeeper. Changes are overwritten.
listen_addresses = '${listen === 'network' ? '*' : 'localhost'}'
password_encryption = 'scram-sha-256'
${slowSettings}`,
      },
    },
    prepare: restartsItself,
    probe: async () => `version ${(await ask('show server_version;')).trim()} answers on its socket`,
  }
})

/**
 * PostgreSQL ends when its log finds no room on the disk, and Debian leaves it so. It comes back once there is room. A stop
 * by people is no failure.
 */
async function restartsItself(): Promise<boolean> {
  if (!hasSystemd()) return false
  const folder = '/etc/systemd/system/postgresql@.service.d'
  await ensureDirectory(folder)
  const text = `# Written by Innkeeper. Changes are overwritten.
[Unit]
StartLimitIntervalSec=0

[Service]
Restart=on-failure
RestartSec=10
`
  if (await replace(`${folder}/innkeeper.conf`, text)) await reloadUnits()
  return false
}
