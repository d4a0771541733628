import { readdirSync } from 'node:fs'
import { ensureBase, must } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'

/**
 * PostgreSQL, the newest cluster of the machine: the account postgres connects by the socket, all others by password.
 */
export const postgresql = ensureBase<'postgresql.ensure'>(({ listen }) => {
  const version = newest()
  return {
    title: 'PostgreSQL',
    unit: `postgresql@${version}-main`,
    program: `/usr/lib/postgresql/${version}/bin/postgres`,
    files: {
      [`/etc/postgresql/${version}/main/conf.d/innkeeper.conf`]: {
        text: `# Written by Innkeeper; what is changed here is written over.
listen_addresses = '${listen === 'network' ? '*' : 'localhost'}'
password_encryption = 'scram-sha-256'
`,
      },
    },
    async probe() {
      const as = await accountOf('postgres')
      if (!as) throw new Error('the account postgres does not exist')
      const said = await must(['psql', '--no-psqlrc', '--tuples-only', '--command=show server_version'], { as })
      return `version ${said.trim()} answers on its socket`
    },
  }
})

/** The newest version, such as `15`; `0` if none is installed, for which no program exists. */
function newest(): number {
  try {
    return Math.max(0, ...readdirSync('/etc/postgresql').map(Number).filter(Number.isInteger))
  } catch {
    return 0 // not installed; the check for the program reports it
  }
}
