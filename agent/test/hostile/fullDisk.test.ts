import { join } from 'node:path'
import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWhole, sliced } from '../../../bin/slice.ts'
import { domainOf, hashes, user } from '../../drivers/mail/test/mail.ts'
import { made } from '../certificates.ts'
import { limits, poolOf, rootOf, siteOf } from '../fixtures.ts'
import { labDir, type Practice, practice } from '../practice.ts'
import { SmallDisk } from './smallDisk.ts'

type Layer = 'databases' | 'mail' | 'dns'
type Input = Record<string, unknown>
interface Case {
  name: OperationName
  /** The input, once the host is ready. */
  input: (p: Practice<Host>) => Promise<Input> | Input
  /** Brings the host back to where it was, for an operation without an undo. */
  reset?: (p: Practice<Host>) => Promise<unknown>
  /** It changes one thing after the other, and a failure between stays until the undo. */
  isStepwise?: boolean
}
const of = <N extends OperationName>(
  name: N,
  input: (p: Practice<Host>) => Promise<OperationInput<N>> | OperationInput<N>,
  reset?: Case['reset'],
) => ({ name, input, reset }) as Case
const key = {
  type: 'ssh-ed25519' as const,
  body: 'AAAAC3NzaC1lZDI1NTE5AAAAIMm0YX0bS8cV4v9pGq3v3b3oYb0vJ8mS2m6s0c1YvF2L',
}

interface Machine {
  layer?: Layer
  ready: (p: Practice<Host>) => Promise<unknown>
  cases: Case[]
  /** A program that refuses a configuration that is not whole. */
  judge: string[]
  /** A script that prints a line for each thing which is in no file that `look` reads, such as databases. */
  state?: string
  /** Blocks of room; a slice of `pages` by default. */
  rooms?: readonly number[]
}
/** Services that need seconds for a try. */
const few = isWhole ? [0, 1, 2, 4, 8, 16, 40, 100, 200] : [1]
const password = 'Correct-Horse_battery9'
/** What databases, accounts and spooled files a database server has, with the sums of all rows. */
const states = {
  mariadb: `for db in $(mariadb -N -e 'show databases' | grep -vE '^(information_schema|performance_schema|mysql|sys)$'); do
      for t in $(mariadb -N -e 'show tables' "$db"); do mariadb -N -e "checksum table $t; select '$db', '$t', table_collation from information_schema.tables where table_schema = '$db' and table_name = '$t'" "$db"; done
      mariadb -N -e "select 'database', schema_name, default_collation_name from information_schema.schemata where schema_name = '$db'"; done
    mariadb -N -e "select 'user', user, host, length(authentication_string) from mysql.user; select 'grant', user, host, db, select_priv from mysql.db"
    ls /var/lib/innkeeper/spool | grep -v keep | sed 's/^definitions-[0-9]*/definitions/'`,
  postgresql: `cd / && psql() { runuser -u postgres -- psql -X -qAt "$@"; }
    for db in $(psql -c "select datname from pg_database where not datistemplate and datname <> 'postgres'"); do
      psql -d "$db" -c "select 'rows', '$db', count(*), md5(string_agg(p::text, '' order by id)) from posts p" 2>/dev/null
      psql -c "select 'database', datname, datcollate from pg_database where datname = '$db'"; done
    psql -c "select 'role', rolname, rolcanlogin from pg_roles where rolname !~ '^(pg|ik)_'"
    psql -c "select 'member', r.rolname, m.rolname from pg_auth_members a join pg_roles r on r.oid = roleid join pg_roles m on m.oid = member where r.rolname !~ '^(pg|ik)_'"
    ls /var/lib/innkeeper/spool | grep -v keep`,
  dns: `for zone in $(pdnsutil list-all-zones 2>/dev/null); do pdnsutil list-zone "$zone" 2>/dev/null | sort; pdnsutil show-zone "$zone" 2>/dev/null | grep -E 'Metadata|TSIG|AXFR|keyTag'; done`,
}
const sqlOf = (machine: keyof typeof states) =>
  machine === 'mariadb' ? 'mariadb shop' : 'cd / && runuser -u postgres -- psql -X -q -d shop'
/** A database with an account, half a megabyte of rows and a dump. */
async function withShop(p: Practice<Host>, machine: 'mariadb' | 'postgresql') {
  await p.done('packages.ensure', { packages: [machine === 'mariadb' ? 'mariadb-server' : 'postgresql'] })
  await p.done(`${machine}.ensure`, { listen: 'loopback' })
  if (machine === 'postgresql') await p.done('postgresql-access.ensure', {})
  const engine = machine
  await p.sh('mkdir', '-p', '-m', '700', '/var/lib/innkeeper/spool')
  const grants = [{ database: 'shop', privileges: 'all' as const }]
  await p.done('database.ensure', { engine, name: 'shop', ...shapeOf[machine] })
  await p.done('database-user.ensure', { engine, user: 'shop', password, grants, locked: false })
  const rows =
    machine === 'mariadb'
      ? 'create table posts (id int primary key, body text) engine=innodb; insert into posts select seq, repeat(md5(seq), 10) from seq_1_to_2000;'
      : 'create table posts (id int primary key, body text); insert into posts select n, repeat(md5(n::text), 10) from generate_series(1, 2000) n; alter table posts owner to shop;'
  await p.sh('sh', '-c', `echo "${rows}" | (${sqlOf(machine)})`)
}
const shapeOf = {
  mariadb: { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' },
  postgresql: { charset: 'UTF8', collation: 'C.UTF-8' },
} as const
const databaseCases = (engine: 'mariadb' | 'postgresql'): Case[] => {
  const grants = [{ database: 'shop', privileges: 'read' as const }]
  let dumped: string | undefined
  return [
    of('database.ensure', () => ({ engine, name: 'second', ...shapeOf[engine], fresh: true })),
    of('database-user.ensure', () => ({ engine, user: 'reader', password, grants, locked: false, fresh: true })),
    of('database.dump', () => ({ engine, name: 'shop', file: 'full-1.sql.gz' })),
    of('database.remove', () => ({ engine, name: 'shop', keepDays: 7 })),
    of('database.rename', () => ({ engine, name: 'shop', newName: 'moved' })),
    {
      ...of('database.load', async (p) => {
        if (!dumped) {
          const { output } = await p.done('database.dump', { engine, name: 'shop', file: 'load-1.sql.gz' })
          dumped = (output as { sha256: string }).sha256
          await p.sh('sh', '-c', `echo "update posts set body = 'x'" | (${sqlOf(engine)})`)
        }
        return { engine, name: 'shop', file: 'load-1.sql.gz', sha256: dumped, definers: [], keep: 'keep-1.sql.gz' }
      }),
      isStepwise: engine === 'mariadb',
    },
    ...(engine === 'mariadb'
      ? [
          of('database.convert', () => ({
            name: 'shop',
            charset: 'utf8mb4',
            collation: 'utf8mb4_general_ci',
            existing: true,
          })),
        ]
      : []),
  ]
}
const others = { own: 200, together: 1000 }
const zone = {
  ...{ domain: 'full.example', serial: 2026112101, whole: true, signed: false, secondaries: [] },
  ...{ nameServer: 'ns1.host.example', hostmaster: 'hostmaster.host.example', zoneKey: `${'A'.repeat(43)}=` },
  sets: [
    { owner: 'full.example', recordType: 'NS' as const, ttl: 300, contents: ['ns1.host.example.'] },
    ...Array.from({ length: 300 }, (_, n) => ({
      ...{ owner: `h${n}.full.example`, recordType: 'TXT' as const, ttl: 300 },
      contents: [`"${'x'.repeat(200)}"`],
    })),
  ],
}
const machines: Record<string, Machine> = {
  web: {
    ready: async (p) => {
      await p.provision()
      await p.website('first.example')
      await p.done('document-root.ensure', rootOf('second.example'))
      await p.done('packages.ensure', { packages: ['openssh-server'] })
      await p.done('sftp.ensure', {})
    },
    judge: ['sh', '-c', 'nginx -t && php-fpm8.2 -t && sshd -t'],
    cases: [
      of('system-user.ensure', () => ({ username: 'web2', limits })),
      of('document-root.ensure', () => rootOf('third.example')),
      of('php-pool.ensure', () => ({ ...poolOf(), maxChildren: 7 })),
      of('nginx-site.ensure', () => siteOf('second.example')),
      of('nginx-site.remove', () => ({ ...siteOf('first.example'), keepDays: 7 })),
      of('tls-site.ensure', async (p) => ({
        ...{ domain: 'first.example', names: ['first.example'], redirect: false, hsts: 0 },
        ...(await made(p, 'first.example')),
      })),
      of('sftp-access.ensure', () => ({ username: 'web1', state: 'active', keys: [key] })),
      // a part of the copy would keep the last room of the website
      of('merge.prepare', async (p) => {
        const at = (domain: string) => ({ username: 'web1', path: `/home/web1/${domain}` })
        const [live, from] = [at('first.example'), at('second.example')]
        const file = `${from.path}/public/large.bin`
        await p.sh('sh', '-c', `head -c 400000 /dev/urandom > ${file}; chown web1:web1 ${file}`)
        const { output } = await p.done('document-root.changes', { ...live, copy: 5 })
        const { digest: seen } = output as { digest: string }
        return { ...live, merge: 7, copy: 5, from, seen, keepDays: 7 }
      }),
    ],
  },
  mariadb: {
    layer: 'databases',
    ready: (p) => withShop(p, 'mariadb'),
    state: states.mariadb,
    judge: ['mariadb', '-e', 'select count(*) from shop.posts'],
    rooms: few,
    cases: databaseCases('mariadb'),
  },
  postgresql: {
    layer: 'databases',
    ready: (p) => withShop(p, 'postgresql'),
    state: states.postgresql,
    judge: ['sh', '-c', 'cd / && runuser -u postgres -- psql -d shop -c "select count(*) from posts"'],
    rooms: few,
    cases: databaseCases('postgresql'),
  },
  mail: {
    layer: 'mail',
    ready: async (p) => {
      await p.done('packages.ensure', { packages: ['rspamd'] })
      await p.done('mail-filter.ensure', {})
      await p.done('postfix.ensure', {})
      await p.done('dovecot.ensure', {})
      await p.done('mail-domain.ensure', domainOf())
      await p.done('mail-limits.ensure', { accounts: [], others })
    },
    state: `for map in /etc/postfix/innkeeper/*.db; do postmap -s hash:"\${map%.db}" | sed "s|^|$map |"; done
      find /var/vmail /var/lib/rspamd/dkim /etc/rspamd -printf '%M %U:%G %p\\n' 2>/dev/null || true`,
    rooms: few,
    judge: [
      'sh',
      '-c',
      'postfix check && doveconf -n >/dev/null && rspamadm configtest && postmap -q post.example $(postconf -h virtual_mailbox_domains)',
    ],
    cases: [
      of('mail-domain.ensure', () =>
        domainOf({ mailboxId: 2, domain: 'second.example', passwords: JSON.stringify(hashes) }),
      ),
      of('mail-domain.ensure', () => domainOf({ users: [user(11, 'kari', { quotaMb: 30 }), user(14, 'nora')] })),
      of('mail-domain.remove', () => ({ mailboxId: 1, domain: 'post.example', keepDays: 7 })),
      of('mail-folder.remove', () => ({ mailboxId: 1, userId: 11, keepDays: 7 })),
      of('mail-key.ensure', () => ({ domain: 'post.example', selector: 'inn1' })),
      of(
        'mail-limits.ensure',
        () => ({ accounts: [{ accountId: 7, own: 20, together: 100 }], others }),
        (p) => p.done('mail-limits.ensure', { accounts: [], others }),
      ),
    ],
  },
  dns: {
    layer: 'dns',
    ready: async (p) => {
      await p.done('powerdns.ensure', {})
      await p.done('dns-zone.ensure', {
        ...zone,
        domain: 'first.example',
        sets: zone.sets.slice(0, 1).map((set) => ({ ...set, owner: 'first.example' })),
      })
    },
    state: states.dns,
    judge: ['pdnsutil', 'check-all-zones'],
    rooms: few,
    cases: [
      of(
        'dns-zone.ensure',
        () => zone,
        (p) => p.done('dns-zone.remove', { domain: zone.domain }),
      ),
    ],
  },
}

const pages = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 40]
const verdict = await can(labDir)

/** Every file below these folders with its mode, owner and content, but notes of programs, the number of the last reload, and the content of maps and keys, which differs each time. */
const look = `cd / && find etc home var/spool/cron usr/share/innkeeper -xdev ! -path '*/.pwd.lock' ! -path 'etc/*-' ! -path etc/ld.so.cache \\
  ! -name .updated ! -name generation.conf ! -type d -printf '%M %U:%G %p %l ' \\( -type f ! -name '*.db' ! -name '*.key' -exec sha256sum {} ';' -o -printf '\\n' \\) 2>/dev/null | sort -k3`
const differences = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((file) => one.get(file) !== other.get(file))
    .map((file) => [one.get(file), other.get(file)])
const treeOf = async (p: Practice<Host>, state?: string) =>
  new Map([
    ...(await p.sh('sh', '-c', look))
      .split('\n')
      .filter(Boolean)
      .map((line): [string, string] => [line.split(' ')[2] ?? '', line]),
    ...(state ? (await p.sh('sh', '-c', `${state}\ntrue`)).split('\n').filter(Boolean) : []).map(
      (line): [string, string] => [line, line],
    ),
  ])

describe.skipIf(!verdict.able).for(Object.entries(machines))(
  'a full disk: %s',
  ([title, { layer, ready, cases, judge, state, rooms = sliced(pages) }]) => {
    let p: Practice<Host>
    let disk: SmallDisk
    beforeAll(async () => {
      disk = new SmallDisk(3000)
      p = await practice(await openLab({ dir: join(disk.folder, 'lab') }), `full-${title.slice(0, 5)}`, layer)
      await ready(p)
    })
    afterAll(async () => {
      disk?.empty()
      await p?.end()
      disk?.close()
    })

    test.for(cases)('$name', async ({ name, input, reset, isStepwise }) => {
      const given = await input(p)
      const back = async (id: number) => (reset ? await reset(p) : await p.anyOp(name, given, { id, task: 'undo' }))
      const before = await treeOf(p, state)
      const whole = await p.anyOp(name, given, { id: 90_001 })
      expect({ name, whole }).toMatchObject({ whole: { status: 'done' } })
      const after = await treeOf(p, state)
      await back(90_001)
      expect(differences(await treeOf(p, state), before), `${name}: undone with room`).toEqual([])
      let refused = 0
      for (const blocks of rooms) {
        const id = 90_100 + blocks
        const about = `${name} with ${blocks} blocks`
        disk.leave(blocks)
        const first = await p.anyOp(name, given, { id })
        if (first.status === 'failed') {
          refused++
          console.log(about, first.reason)
          const found = await treeOf(p, state)
          const odd = [...found].filter(([file, line]) => before.get(file) !== line && after.get(file) !== line)
          const lost = [...before.keys()].filter((file) => !found.has(file) && after.has(file))
          if (!isStepwise) expect.soft({ about, odd, lost }).toEqual({ about, odd: [], lost: [] })
          expect.soft(first.reason, about).toMatch(/Disk full|The disk may be the reason/)
          const judged = await p.host.exec(judge)
          const why = judged.code === 0 ? '' : `${judged.stdout}${judged.stderr}`.slice(-600)
          expect.soft(why, `${about}: ${judge.join(' ')}`).toBe('')
        }
        const undone = reset ? { status: 'done' } : await p.anyOp(name, given, { id, task: 'undo' })
        expect.soft(undone, `${about}: undo on the full disk`).toMatchObject({ status: 'done' })
        disk.empty()
        if (reset || undone.status !== 'done') await back(id)
        expect.soft(differences(await treeOf(p, state), before), `${about}: undone`).toEqual([])
        expect(await p.anyOp(name, given, { id: id + 1000 }), `${about}: once there is room`).toMatchObject({
          status: 'done',
        })
        expect.soft(differences(await treeOf(p, state), after), `${about}: done once there is room`).toEqual([])
        await back(id + 1000)
      }
      console.log(name, 'refused', refused)
    })
  },
)
