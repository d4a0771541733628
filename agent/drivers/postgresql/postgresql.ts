import { ensureBase } from '../../kit/host.ts'
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
    probe: async () => `version ${(await ask('show server_version;')).trim()} answers on its socket`,
  }
})
