import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { chown, readFile, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { codeOf, ensureBase, must, read } from '../kit/host.ts'
import { accountOf } from './systemAccounts.ts'

const database = '/var/lib/powerdns/innkeeper.sqlite3'
const schema = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'
const keyFile = '/etc/innkeeper/powerdns.key'
const apiPort = 8081

/** PowerDNS with its zones in SQLite. What changes zones goes through its API on loopback, with `powerdnsKey`. */
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
        text: config(key),
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

/** Made at first sight, and the same ever after: root's alone. */
export const powerdnsKey = async (): Promise<string> => (await read(keyFile)) ?? randomBytes(32).toString('base64url')

/** GET of the API below `/servers/localhost`. Throws what it complains of. */
export async function powerdnsCall<T>(path: string): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${apiPort}/api/v1/servers/localhost${path}`, {
    headers: { 'x-api-key': await powerdnsKey() },
    signal: AbortSignal.timeout(5000),
  })
  if (!answer.ok) throw new Error(`the API of PowerDNS answers ${answer.status}`)
  return (await answer.json()) as T // the caller names what this path answers
}

/** A name of no zone of ours is refused: this is no resolver for others. */
async function refusesUnknown(): Promise<void> {
  const resolver = new Resolver({ timeout: 1500, tries: 1 })
  resolver.setServers(['127.0.0.1'])
  const answer = await resolver.resolve4('unknown.innkeeper.invalid').catch((error: unknown) => codeOf(error))
  if (answer !== 'EREFUSED') throw new Error(`port 53 answers ${String(answer)} for a name that it does not know`)
}

/** Made aside and renamed: a database is there whole or not at all. */
async function makeDatabase(): Promise<boolean> {
  if (existsSync(database)) return false
  const account = await accountOf('pdns')
  if (!account) throw new Error('PowerDNS is installed and has no account pdns')
  const aside = `${database}.new`
  await rm(aside, { force: true })
  const db = new DatabaseSync(aside)
  db.exec(await readFile(schema, 'utf8'))
  db.close()
  await chown(aside, account.uid, account.gid)
  await rename(aside, database)
  return true
}

const config = (key: string) => `# Written by Innkeeper; what is changed here is written over.
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
primary=yes
secondary=yes
# a zone names who may have it by its own metadata
allow-axfr-ips=
enable-lua-records=no
version-string=anonymous
`
