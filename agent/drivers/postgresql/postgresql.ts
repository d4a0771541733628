import { readdirSync } from 'node:fs'
import { ensureBase, must } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'

/** PostgreSQL, the newest cluster of the machine: its own account by the socket, everybody else by a password. */
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
      if (!as) throw new Error('there is no account postgres')
      const said = await must(['psql', '--no-psqlrc', '--tuples-only', '--command=show server_version'], { as })
      return `version ${said.trim()} answers on its socket`
    },
  }
})

/** `15`; `0` where there is none, which no program has. */
function newest(): number {
  try {
    return Math.max(0, ...readdirSync('/etc/postgresql').map(Number).filter(Number.isInteger))
  } catch {
    return 0 // not installed: said by name
  }
}
