import type { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import type { NameLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { and, inArray, isNull } from 'drizzle-orm'
import { allNames } from '../../../hosting/websites/names.ts'
import { readSite } from '../../../hosting/websites/site.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import { chunks } from '../../../kit/db/chunks.ts'
import type { Db } from '../../../kit/db/db.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { answersOf, zonesOf } from '../../../net/dns/sites/ensure.ts'
import { wantedRecords } from '../../../net/mailboxes/records.ts'
import { rowOf as mailOf } from '../../../net/mailboxes/steps.ts'
import { mailboxes } from '../../../net/mailboxes/tables.ts'
import { edgesOfSite } from '../../../net/ssl/siteEdges.ts'
import type { Made } from '../tables.ts'

const MOST_NAMES = 1000
const AT_ONCE = 8

/** The names of everything that an import made and that still exists, with the records that lead here. */
export async function namesOf(db: Db, made: Made): Promise<NameLine[]> {
  const lines: Pick<NameLine, 'name' | 'what' | 'wanted'>[] = []
  const siteIds = [...made.websites, ...(made.again?.websites ?? [])].map(({ id }) => id)
  const live = siteIds.length
    ? await db
        .select({ id: websites.id })
        .from(websites)
        .where(and(inArray(websites.id, siteIds), isNull(websites.deletedAt)))
    : []
  for (const { id } of live) {
    const site = await readSite(db, id)
    const edges = await edgesOfSite(db, id)
    const wanted = await addressesOf(db, edges.length ? edges.map(({ serverId }) => serverId) : [site.server.id])
    for (const name of allNames(site)) lines.push({ name, what: 'website', wanted })
  }
  const mailIds = [...made.mailboxes, ...(made.again?.mail ?? [])].map(({ id }) => id)
  const domains = mailIds.length
    ? await db
        .select({ id: mailboxes.id })
        .from(mailboxes)
        .where(and(inArray(mailboxes.id, mailIds), isNull(mailboxes.deletedAt)))
    : []
  for (const { id } of domains)
    for (const { name, type, content, required } of await wantedRecords(db, await mailOf(db, id)))
      if (
        required &&
        (type === 'MX' || type === 'A' || type === 'AAAA') &&
        !lines.some((one) => one.name === name && type !== 'MX')
      )
        lines.push({ name, what: 'mail', wanted: [`${type} ${content}`] })
  const found = lines.slice(0, MOST_NAMES)
  const zones = await zonesOf(db, [...new Set(found.map(({ name }) => name))])
  const ttls = new Map(
    (await answersOf(db, [...zones.keys()])).map(({ name, records }) => [
      name,
      Math.max(0, ...records.map(({ ttl }) => ttl)),
    ]),
  )
  return found.map((one) => {
    const ttl = ttls.get(one.name)
    const zone = zones.get(one.name)?.domain ?? null
    return { ...one, zone, ...(ttl !== undefined && { ttl }), now: [], state: 'unknown' }
  })
}

async function addressesOf(db: Db, serverIds: number[]): Promise<string[]> {
  const found = await db.select({ address: servers.address }).from(servers).where(inArray(servers.id, serverIds))
  return found.flatMap(({ address }) => (address ? [recordOf(address)] : []))
}
const recordOf = (address: string) => `${isIPv6(address) ? 'AAAA' : 'A'} ${address}`

/** Asks name servers where the names lead now. */
export async function lookedUp(resolver: Resolver, lines: readonly NameLine[]): Promise<NameLine[]> {
  const all: NameLine[] = []
  for (const some of chunks(lines, AT_ONCE)) all.push(...(await Promise.all(some.map((one) => lookUp(resolver, one)))))
  return all
}

async function lookUp(resolver: Resolver, line: NameLine): Promise<NameLine> {
  const isMail = line.wanted.some((one) => one.startsWith('MX '))
  try {
    const now = isMail ? await mxOf(resolver, line.name) : await addressRecords(resolver, line.name)
    const right = now.every((one) => line.wanted.some((wanted) => wanted.toLowerCase() === one.toLowerCase()))
    return { ...line, now: now.slice(0, 20), state: now.length ? (right ? 'here' : 'elsewhere') : 'missing' }
  } catch {
    return { ...line, now: [], state: 'unknown' } // no name server answered
  }
}

/** A name without such records. */
export const none = (error: unknown): never[] => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOTFOUND' || code === 'ENODATA') return []
  throw error
}
export async function addressRecords(
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>,
  name: string,
): Promise<string[]> {
  const [v4, v6] = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)])
  return [...v4, ...v6].map(recordOf).toSorted()
}
export async function mxOf(resolver: Pick<Resolver, 'resolveMx'>, name: string): Promise<string[]> {
  const found = await resolver.resolveMx(name).catch(none)
  return found.map(({ priority, exchange }) => `MX ${priority} ${exchange.toLowerCase()}.`).toSorted()
}
