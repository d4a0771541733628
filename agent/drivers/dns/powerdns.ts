import { Resolver } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { chmod, chown, readFile, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { codeOf, ensureBase, must, patience, read } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { apiPort, keyFile, powerdnsCall, powerdnsKey } from './powerdnsApi.ts'

const database = '/var/lib/powerdns/innkeeper.sqlite3'
const schema = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'

/** PowerDNS with SQLite zones. All changes of zones use its API on loopback, with `powerdnsKey`. */
export const powerdns = ensureBase<'powerdns.ensure'>(async () => {
  const account = await accountOf('pdns')
  const key = await powerdnsKey()
  return {
    title: 'PowerDNS',
    unit: 'pdns',
    program: '/usr/sbin/pdns_server',
    files: {
      [keyFile]: { text: key, mode: 0o600 },
      '/etc/powerdns/pdns.d/innkeeper.conf': {
        text: config(key, await resolverOf()),
        mode: 0o640,
        ...(account && { owner: { uid: 0, gid: account.gid } }),
      },
    },
    prepare: makeDatabase,
    probe: async () => {
      await must(['pdns_control', 'rping'])
      const { version } = await powerdnsCall<{ version: string }>('')
      await refusesUnknown()
      return `version ${version} answers on port 53, and its API`
    },
  }
})

/** PowerDNS must refuse names outside its zones: it is no public resolver. */
async function refusesUnknown(): Promise<void> {
  const resolver = new Resolver({ timeout: patience.answerMs, tries: 1 })
  resolver.setServers(['127.0.0.1'])
  const answer = await resolver.resolve4('unknown.innkeeper.invalid').catch((error: unknown) => codeOf(error))
  if (answer !== 'EREFUSED') throw new Error(`port 53 answers ${String(answer)} for a name that it does not know`)
}

/**
 * Creates the database under another name and renames it, so that no partial database is left. It has the private keys of
 * zones and transfers, which no other account of the server may read.
 */
async function makeDatabase(): Promise<boolean> {
  if (existsSync(database)) {
    for (const file of ['', '-wal', '-shm'].map((end) => `${database}${end}`))
      if (existsSync(file)) await chmod(file, 0o600)
    return false
  }
  const account = await accountOf('pdns')
  if (!account) throw new Error('PowerDNS is installed and has no account pdns')
  const aside = `${database}.new`
  await rm(aside, { force: true })
  const db = new DatabaseSync(aside)
  db.exec(await readFile(schema, 'utf8'))
  db.close()
  await chmod(aside, 0o600)
  await chown(aside, account.uid, account.gid)
  await rename(aside, database)
  return true
}

/** The resolver of this machine, which PowerDNS asks for the targets of ALIAS records. */
async function resolverOf(): Promise<string | undefined> {
  return /^nameserver\s+([0-9a-fA-F.:]+)\s*$/m.exec((await read('/etc/resolv.conf')) ?? '')?.[1]
}

const config = (key: string, resolver: string | undefined) => `# Written by Innkeeper. Changes are overwritten.
launch=gsqlite3
gsqlite3-database=${database}
gsqlite3-pragma-journal-mode=WAL
gsqlite3-dnssec=yes
local-address=0.0.0.0${existsSync('/proc/net/if_inet6') ? ', ::' : ''}
api=yes
api-key=${key}
webserver=yes
webserver-address=127.0.0.1
webserver-port=${apiPort}
webserver-allow-from=127.0.0.1
# its pages would tell every account of this server what is asked
webserver-password=${key}
# MB of one call: a zone comes whole
webserver-max-bodysize=64
primary=yes
secondary=yes
# a zone names who may have it by its own metadata
allow-axfr-ips=
# and who is notified: no strangers that a zone names as its name servers
only-notify=
xfr-cycle-interval=60
# a change empties these; what is being answered while it is written would stand in them for 20 s, "there is none" for 60
cache-ttl=1
query-cache-ttl=1
negquery-cache-ttl=1
${resolver ? `resolver=${resolver.includes(':') ? `[${resolver}]` : resolver}:53\nexpand-alias=yes\n` : ''}enable-lua-records=no
# off by default: names below a DNAME would not exist
dname-processing=yes
version-string=anonymous
`
