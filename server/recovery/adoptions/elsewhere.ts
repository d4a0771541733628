import type { Resolver } from 'node:dns/promises'
import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import type { FoundMachine, Remaining } from '@innkeeper/contract/recovery/adoptions/shapes'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { chunks } from '../../kit/db/chunks.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { eachOf, failedLast } from '../../kit/work/round.ts'
import { servers } from '../../machines/servers/tables.ts'
import { resolverOf } from '../../net/mailboxes/dns.ts'
import { addressRecords, mxOf } from '../archiveImports/cutOver/names.ts'
import { adoptions } from './tables.ts'

/** Title of the round. */
const ROUND = 'the names of an adopted server could not be looked up'
const [AT_ONCE, MOST_ADOPTIONS, MOST_NAMES, MOST_RECORDS] = [8, 3, 3000, 500]

/** Asks name servers each hour, or at once when people ask, which names still lead to adopted servers. */
export async function lookForNames(app: App): Promise<void> {
  const due = await app.db
    .select({ id: adoptions.id, found: adoptions.found, elsewhere: adoptions.elsewhere, address: servers.address })
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
  const look = async ({ id, found, elsewhere: before, address }: (typeof due)[number]) => {
    if (!found) return
    const old = [...new Set([...found.addresses, ...(address ? [address] : [])])]
    const elsewhere = [...(await namesThat(resolverOf(app), found, old)), ...(await recordsTo(app.db, old))]
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

/** Names of websites and mail domains whose answers have an address of the machine. */
async function namesThat(resolver: Resolver, found: FoundMachine, old: readonly string[]): Promise<Remaining[]> {
  const ascii = (names: readonly string[]) => names.flatMap((one) => domainSchema.safeParse(one).data ?? [])
  const wanted = [
    ...found.accounts.flatMap(({ websites }) =>
      websites.flatMap(({ domain, aliases }) =>
        ascii([domain, ...aliases]).map((name) => ({ name, what: 'website' as const })),
      ),
    ),
    ...found.accounts.flatMap(({ mail }) =>
      ascii(mail.map(({ domain }) => domain)).map((name) => ({ name, what: 'mail' as const })),
    ),
  ].slice(0, MOST_NAMES)
  const isOld = (record: string) => old.includes(record.split(' ')[1] ?? '')
  const all: Remaining[] = []
  for (const some of chunks(wanted, AT_ONCE)) {
    const answers = await Promise.all(
      some.map(async ({ name, what }) => {
        // no answer is no reason to retire a server: the name stays on the list
        const unanswered = ['no name server answers']
        const now =
          what === 'website'
            ? await addressRecords(resolver, name).then(
                (found) => found.filter(isOld),
                () => unanswered,
              )
            : await mailTo(resolver, name, isOld).catch(() => unanswered)
        return { name, what, now, zone: null }
      }),
    )
    all.push(...answers.filter(({ now }) => now.length))
  }
  return all
}

async function mailTo(resolver: Resolver, name: string, isOld: (record: string) => boolean): Promise<string[]> {
  const hosts = await mxOf(resolver, name)
  const led = await Promise.all(
    hosts.slice(0, 10).map(async (record) => {
      const host = (record.split(' ')[2] ?? '').replace(/\.$/, '')
      return (await addressRecords(resolver, host)).some(isOld) ? [record] : []
    }),
  )
  return led.flat()
}

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
