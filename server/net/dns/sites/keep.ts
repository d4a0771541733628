import { missing } from '@innkeeper/contract/kit/access'
import type { Entry } from '@innkeeper/contract/net/dns/records'
import { and, eq, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import { allNames } from '../../../hosting/websites/names.ts'
import type { Bringing, Kept } from '../../../hosting/websites/parts/parts.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { denied } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { action, step, type Work } from '../../../kit/work/action.ts'
import { publish, withdraw } from '../publications/publish.ts'
import { entriesOf } from '../publications/sets.ts'
import { applyChange, nextVersion } from '../records/apply.ts'
import { NOTHING } from '../records/digest.ts'
import { zones } from '../tables.ts'
import { type KeptZone, readZone } from '../view.ts'
import { zonesOf } from './ensure.ts'

const WHO = { id: null, name: 'Innkeeper' }
const entry = z.object({
  name: z.string(),
  type: z.string(),
  ttl: z.int(),
  priority: z.int().nullable(),
  content: z.string(),
})
/** A whole zone whose name is a name of the website, or only the website's records in a larger zone. */
const Content = z.array(
  z.object({ domain: z.string(), whole: z.boolean(), names: z.array(z.string()), records: z.array(entry) }),
)
type KeptOne = z.output<typeof Content>[number]
const Facts = z.object({ names: z.array(z.string()), zones: z.array(z.string()) })

const isOrBelow = (name: string, all: readonly string[]) => all.some((one) => name === one || name.endsWith(`.${one}`))
/**
 * Records of a zone that a backup saves: all records if the zone's name is a name of the website, else those of the
 * website.
 */
const mine = ({ whole, names }: Pick<KeptOne, 'whole' | 'names'>, all: (Entry & { id: number })[]) =>
  whole ? all : all.filter(({ name }) => isOrBelow(name, names))

async function keptOf(db: Db, names: readonly string[]): Promise<KeptOne[]> {
  const found = await zonesOf(db, names)
  const byId = new Map([...found.values()].map((zone) => [zone.id, zone]))
  const kept: KeptOne[] = []
  for (const zone of [...byId.values()].sort((a, b) => a.id - b.id)) {
    const theirs = names.filter((name) => found.get(name)?.id === zone.id)
    const one = {
      domain: zone.domain,
      whole: theirs.includes(zone.domain),
      names: theirs.map((name) => (name === zone.domain ? '@' : name.slice(0, -zone.domain.length - 1))),
    }
    const records = mine(one, await entriesOf(db, zone.id)).map(({ id: _, ...rest }) => rest)
    kept.push({ ...one, records })
  }
  return kept
}

const textOf = (all: readonly KeptOne[]): string =>
  all
    .map(({ domain, whole, records: { length: n } }) => {
      const records = `${n} ${n === 1 ? 'record' : 'records'}`
      return whole ? `zone ${domain} with ${records}` : `${records} in the zone ${domain}`
    })
    .join(', ')

/** The DNS records of a website for a backup. */
export async function keepRecords(_: unknown, db: Db, site: Site): Promise<Kept | undefined> {
  const names = allNames(site)
  const content = await keptOf(db, names)
  if (!content.length) return undefined
  return { text: textOf(content), facts: { names, zones: content.map(({ domain }) => domain) }, content }
}

/** Refuses a restore to a website with another domain. */
export async function recordsClosed(_: Db, site: Pick<Site, 'domain'>, facts: unknown): Promise<string | undefined> {
  const { names } = Facts.parse(facts)
  return names.includes(site.domain) ? undefined : `The records belong to ${names[0]}, not to ${site.domain}`
}

/** Steps that restore the records of the website in Innkeeper's zones; deleted zones are created again. */
export async function bringRecords(context: Context, site: Site, kept: unknown, from: string): Promise<Bringing> {
  const { db, staff } = context
  const { names, zones: domains } = Facts.parse(kept)
  const was = await keptOf(db, names)
  const gone = domains.filter((domain) => !was.some((one) => one.domain === domain))
  const lacking = (['dns:record:update', 'dns:zone:create'] as const)
    .slice(0, gone.length ? 2 : 1)
    .flatMap((scope) => missing(staff, scope))
  if (lacking.length) throw denied(lacking)
  for (const { domain } of was) await readZone(db, (await live(db, domain))?.id ?? 0, staff) // 404 for a hidden zone
  const on = { resource: { type: 'dns-record', id: site.id, name: site.domain } }
  return { steps: [step(recordsBring, { from, domains, was, gone }, on)] }
}

/** The present records as text. */
export const recordsNow = async (db: Db, site: Pick<Site, 'domain'>, kept: unknown): Promise<string> => {
  const { names, zones: domains } = Facts.parse(kept)
  const was = await keptOf(db, names)
  const gone = domains.filter((domain) => !was.some((one) => one.domain === domain))
  return [textOf(was), gone.length && `no zone ${gone.join(', ')}`].filter(Boolean).join(', ') || site.domain
}

const recordsBring = action(
  'website.dns-bring',
  z.object({ from: z.string(), domains: z.array(z.string()), was: Content, gone: z.array(z.string()) }),
  {
    title: 'DNS',
    what: ({ domains }) => `restores the records in ${domains.join(', ')}`,
    async run({ from }, work) {
      const text = await work.app.secrets.read(work.app.db, from)
      if (text === undefined) throw new Error('the settings of the backup no longer exist: start the restore again')
      return put(Content.parse(JSON.parse(text)), [], work)
    },
    undo: ({ was, gone }, work) => put(was, gone, work),
  },
)

async function put(wanted: readonly KeptOne[], gone: readonly string[], { app, fence, say }: Work): Promise<unknown> {
  fence()
  let changes = 0
  await app.db.transaction(async (tx) => {
    for (const one of wanted) if (await bring(tx, app, one)) changes += 1
    for (const domain of gone) await takeAway(tx, domain)
  })
  say(`${changes} of ${wanted.length} zones changed`)
  return { changes }
}

const live = async (tx: Db, domain: string): Promise<KeptZone | undefined> =>
  (
    await tx
      .select()
      .from(zones)
      .where(and(eq(zones.domain, domain), isNull(zones.deletedAt)))
      .for('update')
  )[0]

/** True if something changed. */
async function bring(tx: Db, app: Pick<App, 'secrets'>, one: KeptOne): Promise<boolean> {
  const there = await live(tx, one.domain)
  if (!there && !one.whole)
    throw new Error(`the zone ${one.domain} no longer exists, and this backup contains only a part of it`)
  const zone = there ?? (await makeZone(tx, one.domain))
  const now = mine(one, await entriesOf(tx, zone.id))
  const textOf = ({ name, type, ttl, priority, content }: Entry) => JSON.stringify([name, type, ttl, priority, content])
  const then = one.records as Entry[] // as they were read from our tables
  const [has, wants] = [new Set(now.map(textOf)), new Set(then.map(textOf))]
  const delta = {
    create: [],
    kept: then.filter((record) => !has.has(textOf(record))),
    delete: now.filter((record) => !wants.has(textOf(record))).map(({ id }) => id),
  }
  const { zone: after, changeId } = await applyChange(tx, zone, delta, WHO.name, 'website')
  if (there && changeId === null) return false
  await publish(tx, app, after, WHO, there ? {} : { whole: true })
  await changed(tx, 'dns', zone.id)
  return true
}

async function makeZone(tx: Db, domain: string): Promise<KeptZone> {
  const [made] = await tx
    .insert(zones)
    .values({ domain, active: true, serial: nextVersion(0), digest: NOTHING })
    .returning()
  if (!made) throw new Error('a zone was not saved')
  return made
}

/** Undo: deletes a zone that the restore created. */
async function takeAway(tx: Db, domain: string): Promise<void> {
  const zone = await live(tx, domain)
  if (!zone) return
  await withdraw(tx, zone, WHO)
  await tx.update(zones).set({ deletedAt: sql`now()`, changedBy: WHO.name }).where(eq(zones.id, zone.id))
  await changed(tx, 'dns', zone.id)
}
