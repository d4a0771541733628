import type { Resolver } from 'node:dns/promises'
import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import type { FoundMachine, Remaining } from '@innkeeper/contract/recovery/adoptions/shapes'
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { wwwOf } from '../../hosting/websites/names.ts'
import type { App } from '../../kit/app/app.ts'
import { chunks } from '../../kit/db/chunks.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { eachOf, failedLast } from '../../kit/work/round.ts'
import { servers } from '../../machines/servers/tables.ts'
import { resolverOf } from '../../net/mailboxes/dns.ts'
import { addressRecords, mxOf, none } from '../archiveImports/cutOver/names.ts'
import { adoptions } from './tables.ts'

/** Title of the round. */
const ROUND = 'the names of an adopted server could not be looked up'
const [AT_ONCE, MOST_ADOPTIONS, MOST_NAMES, MOST_RECORDS] = [8, 3, 3000, 500]

/** Asks name servers each hour, or at once when people ask, which names still lead to adopted servers. */
export async function lookForNames(app: App): Promise<void> {
  const due = await app.db
    .select({
      ...{ id: adoptions.id, found: adoptions.found, elsewhere: adoptions.elsewhere },
      ...{ serverId: servers.id, name: servers.name, address: servers.address },
    })
    .from(adoptions)
    .innerJoin(servers, eq(servers.id, adoptions.serverId))
    .where(
      and(
        eq(adoptions.status, 'ready'),
        isNotNull(adoptions.found),
        sql`coalesce(${adoptions.checkedAt}, 'epoch') < now() - interval '1 hour'`,
      ),
    )
    .orderBy(failedLast(app, ROUND, sql`${adoptions.id}`), sql`${adoptions.checkedAt} nulls first`)
    .limit(MOST_ADOPTIONS)
  const look = async ({ id, found, elsewhere: before, serverId, name, address }: (typeof due)[number]) => {
    if (!found) return
    const old = [...new Set([...found.addresses, ...(address ? [address] : [])])]
    const ours = await oursOn(app.db, serverId)
    const records = await recordsTo(app.db, old)
    const elsewhere = [
      ...(await namesThat(resolverOf(app), found, { old, ours })),
      ...records.filter((one) => one.name !== name && !ours.websites.has(one.name)),
    ]
    const isNew = JSON.stringify(elsewhere) !== JSON.stringify(before)
    await app.db.transaction(async (tx) => {
      await tx
        .update(adoptions)
        .set({ elsewhere, checkedAt: sql`now()`, ...(isNew && nextVersion) })
        .where(eq(adoptions.id, id))
      await changed(tx, 'adoptions', id)
    })
  }
  await eachOf(app, ROUND, due, look)
}

/** Names that Innkeeper serves on a server: websites that were taken over where they lie lead to the right machine. */
interface Ours {
  websites: ReadonlySet<string>
  mail: ReadonlySet<string>
}

async function oursOn(db: Db, serverId: number): Promise<Ours> {
  const of = (which: SQL) => rows<{ domain: string }>(db, which)
  const sites = await of(sql`select domain from websites
    where server_id = ${serverId} and deleted_at is null and status in ('active', 'suspended', 'migrating')`)
  const mail = await of(sql`select domain from mailboxes where server_id = ${serverId} and deleted_at is null`)
  return {
    websites: new Set(sites.flatMap(({ domain }) => [domain, ...wwwOf(domain)])),
    mail: new Set(mail.map(({ domain }) => domain)),
  }
}

/** Names that the machine has and that still lead to it, but for those that Innkeeper serves there. */
export async function namesThat(
  resolver: Pick<Resolver, 'resolve4' | 'resolve6' | 'resolveMx' | 'resolveNs'>,
  found: FoundMachine,
  { old, ours }: { old: readonly string[]; ours: Ours },
): Promise<Remaining[]> {
  const ascii = (names: readonly string[]) => names.flatMap((one) => domainSchema.safeParse(one).data ?? [])
  const of = (what: Remaining['what'], names: readonly string[]) =>
    [...new Set(ascii(names))].map((name) => ({ name, what }))
  const { accounts, others } = found
  const wanted = [
    ...of('website', [
      ...accounts.flatMap(({ websites }) => websites.flatMap(({ domain, aliases }) => [domain, ...aliases])),
      // an application that is left alone ends with the machine
      ...others.filter(({ kind }) => kind === 'website').map(({ name }) => name),
    ]).filter(({ name }) => !ours.websites.has(name)),
    ...of(
      'mail',
      accounts.flatMap(({ mail }) => mail.map(({ domain }) => domain)),
    ).filter(({ name }) => !ours.mail.has(name)),
    ...of(
      'zone',
      accounts.flatMap(({ zones }) => zones.map(({ domain }) => domain)),
    ),
  ].slice(0, MOST_NAMES)
  const isOld = (record: string) => old.includes(record.split(' ')[1] ?? '')
  const all: Remaining[] = []
  const lookUp = async ({ name, what }: (typeof wanted)[number]) => {
    const led = {
      website: async () => (await addressRecords(resolver, name)).filter(isOld),
      mail: () => mailTo(resolver, name, isOld),
      zone: () => servedBy(resolver, name, isOld),
      record: async () => [],
    }
    // no answer is no reason to retire a server: the name stays on the list
    const now = await led[what]().catch(() => ['no name server answers'])
    return { name, what, now, zone: null }
  }
  for (const some of chunks(wanted, AT_ONCE))
    all.push(...(await Promise.all(some.map(lookUp))).filter(({ now }) => now.length))
  return all
}

type Addresses = Parameters<typeof addressRecords>[0]

/** The records whose host has an address of the machine. */
async function leading(resolver: Addresses, records: string[], isOld: (record: string) => boolean): Promise<string[]> {
  const led = await Promise.all(
    records.slice(0, 10).map(async (record) => {
      const host = (record.split(' ').at(-1) ?? '').replace(/\.$/, '')
      return (await addressRecords(resolver, host)).some(isOld) ? [record] : []
    }),
  )
  return led.flat()
}

async function mailTo(
  resolver: Addresses & Pick<Resolver, 'resolveMx'>,
  name: string,
  isOld: (record: string) => boolean,
): Promise<string[]> {
  const hosts = await mxOf(resolver, name)
  if (hosts.length) return leading(resolver, hosts, isOld)
  // mail for a name without MX goes to its address
  return (await addressRecords(resolver, name)).filter(isOld)
}

/** A zone without any name server is nobody's. */
const servedBy = async (
  resolver: Addresses & Pick<Resolver, 'resolveNs'>,
  name: string,
  isOld: (record: string) => boolean,
): Promise<string[]> =>
  leading(
    resolver,
    (await resolver.resolveNs(name).catch(none)).map((host) => `NS ${host.toLowerCase()}.`),
    isOld,
  )

/** Records in zones of Innkeeper that have an address of the machine. */
async function recordsTo(db: Db, old: string[]): Promise<Remaining[]> {
  const found = await rows<{ name: string; type: string; content: string; zone: string }>(
    db,
    sql`select case when r.name = '@' then z.domain else r.name || '.' || z.domain end as name, r.type, r.content, z.domain as zone
      from records r join zones z on z.zone_id = r.zone_id
      where r.type in ('A', 'AAAA') and r.content = any(${sql.param(old)}::text[]) and z.deleted_at is null
      order by z.domain, r.name limit ${MOST_RECORDS}`,
  )
  return found.map(({ name, type, content, zone }) => ({ name, what: 'record', now: [`${type} ${content}`], zone }))
}
