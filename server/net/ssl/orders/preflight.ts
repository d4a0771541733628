import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { request } from 'node:http'
import type { NameCheck } from '@innkeeper/contract/net/ssl/shapes'
import { eq, inArray } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { chunks } from '../../../kit/db/chunks.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { serverStates, servers } from '../../../machines/servers/tables.ts'
import { readSettings } from '../../dns/settings.ts'
import { zonesOf } from '../../dns/sites/ensure.ts'
import { readThumbprint } from '../acme/account.ts'
import { edgesOfSite } from '../siteEdges.ts'

type Check = NameCheck['checks'][number]
const AT_ONCE = 8

/** Data shared by the checks of all names. */
export interface Grounds {
  db: Db
  resolver: Resolver
  /** Addresses of the origin and the edges, with the names of the servers. */
  addresses: Map<string, string>
  serverName: string
  thumbprint: string
  /** The authority's names in CAA records; empty when the authority states none. */
  identities: readonly string[]
  /** Whether the web server is already configured for challenges, so that a wrong answer is an obstacle. */
  isSetUp: boolean
}

export async function groundsOf(
  app: App,
  { serverId, websiteId }: { serverId: number; websiteId: number },
  identities: readonly string[],
  isSetUp: boolean,
): Promise<Grounds> {
  const { db, settings } = app
  const edges = (await edgesOfSite(db, websiteId)).map((edge) => edge.serverId)
  const found = await db
    .select({ id: servers.id, address: servers.address, name: servers.name, more: serverStates.addresses })
    .from(servers)
    .leftJoin(serverStates, eq(serverStates.serverId, servers.id))
    .where(inArray(servers.id, [serverId, ...edges]))
  const resolver = new Resolver({ timeout: 2000, tries: 4 })
  if (settings.resolver) resolver.setServers([settings.resolver])
  return {
    ...{ db, resolver, identities, isSetUp },
    addresses: new Map(
      inOrder([serverId, ...edges], found).flatMap(({ address, name, more }) =>
        [...(address ? [address] : []), ...(more ?? [])].map((one): [string, string] => [one, name]),
      ),
    ),
    serverName: found.find(({ id }) => id === serverId)?.name ?? 'its server',
    thumbprint: await readThumbprint(app, db),
  }
}

/** Checks whether the authority would validate these names. One result per name, in the same order. */
export async function lookAtNames(grounds: Grounds, names: readonly string[]): Promise<NameCheck[]> {
  const found: NameCheck[] = []
  for (const some of chunks(names, AT_ONCE))
    found.push(...(await Promise.all(some.map((name) => lookAtName(grounds, name)))))
  return found
}

async function lookAtName(grounds: Grounds, name: string): Promise<NameCheck> {
  const caa = await caaOf(grounds, name)
  const here = name.startsWith('*.') ? undefined : await leadsHere(grounds, name)
  if (here?.address) {
    const challenge = await challengeOf(grounds, name, here.address)
    return judged(name, 'http-01', [here.check, caa, challenge])
  }
  // a wildcard, or a name that does not resolve to our servers yet, is validated by DNS if its zone is ours
  const zone = await zoneCheck(grounds, name)
  if (zone.level === 'ok') return judged(name, 'dns-01', [zone, caa])
  return judged(name, null, [here?.check ?? zone, caa])
}

const judged = (name: string, challenge: NameCheck['challenge'], checks: Check[]): NameCheck => ({
  name,
  challenge,
  checks,
  ok: checks.every(({ level }) => level !== 'blocker'),
})

/** All addresses of the name must be ours, because an authority tries the IPv6 address first. */
async function leadsHere(
  { resolver, addresses, serverName }: Grounds,
  name: string,
): Promise<{ check: Check; address?: string }> {
  const blocker = (text: string) => ({ check: { what: 'dns' as const, level: 'blocker' as const, text } })
  const [v4, v6] = await Promise.all([found(resolver.resolve4(name)), found(resolver.resolve6(name))])
  if (typeof v4 === 'string') return blocker(`Its address could not be looked up: ${v4}`)
  const all = [...(typeof v6 === 'string' ? [] : v6), ...v4]
  if (!all.length) return blocker('The name has no address in DNS')
  const strange = all.filter((address) => !addresses.has(address))
  const [first] = all
  if (!strange.length && first)
    return {
      address: first,
      check: {
        what: 'dns',
        level: 'ok',
        text: `Leads to ${all.join(', ')}, which is ${[...new Set(all.map((one) => addresses.get(one)))].join(' and ')}`,
      },
    }
  const also = strange.length < all.length ? 'also ' : ''
  return blocker(
    `Leads ${also}to ${strange.join(', ')}, and ${serverName} is ${[...addresses.keys()][0] ?? 'without an address'}`,
  )
}

/** Whether a TXT record can prove the name: the zone must be ours, and delegated to our name servers. */
async function zoneCheck({ db, resolver }: Grounds, name: string): Promise<Check> {
  const what = 'dns' as const
  const bare = name.replace(/^\*\./, '')
  const zone = (await zonesOf(db, [bare])).get(bare)
  if (!zone?.active)
    return { what, level: 'blocker', text: 'A wildcard is proved in DNS, but Innkeeper does not manage its zone' }
  const asked = await found(resolver.resolveNs(zone.domain))
  const { nameServers } = await readSettings(db)
  if (typeof asked === 'string' || !asked.length)
    return {
      what,
      level: 'blocker',
      text: `Innkeeper manages the zone ${zone.domain}, but DNS delegates it to no name server`,
    }
  if (!asked.some((one) => nameServers.includes(one.toLowerCase())))
    return {
      what,
      level: 'blocker',
      text: `Innkeeper manages the zone ${zone.domain}, but DNS delegates it to ${asked.join(', ')}`,
    }
  return { what, level: 'ok', text: `Proved by a record in the zone ${zone.domain}` }
}

/** The nearest CAA records upwards from the name say which authorities may issue (RFC 8659). */
async function caaOf({ resolver, identities }: Grounds, name: string): Promise<Check> {
  const what = 'caa' as const
  const wild = name.startsWith('*.')
  const labels = name.replace(/^\*\./, '').split('.')
  for (let at = 0; at < labels.length; at++) {
    const place = labels.slice(at).join('.')
    const records = await found(resolver.resolveCaa(place))
    if (typeof records === 'string')
      return { what, level: 'warning', text: `CAA of ${place} could not be looked up: ${records}` }
    if (!records.length) continue
    const wildOnes = records.flatMap(({ issuewild }) => issuewild ?? [])
    const issuers = (wild && wildOnes.length ? wildOnes : records.flatMap(({ issue }) => issue ?? [])).map((text) =>
      (text.split(';')[0] ?? '').trim(),
    )
    if (!issuers.length && !records.some((one) => one.issue !== undefined))
      return { what, level: 'ok', text: `CAA of ${place} allows every authority` }
    if (!identities.length)
      return {
        what,
        level: 'warning',
        text: `${place} allows ${issuers.join(', ') || 'nobody'}; the authority does not publish its name in CAA records`,
      }
    // an authority has several names, as of the companies that it bought: only those in the record are allowed
    const allowed = issuers.filter((one) => identities.some((name) => name.toLowerCase() === one.toLowerCase()))
    if (allowed.length) return { what, level: 'ok', text: `${place} allows ${[...new Set(allowed)].join(', ')}` }
    return {
      what,
      level: 'blocker',
      text: `CAA of ${place} allows ${issuers.filter(Boolean).join(', ') || 'nobody'}, not ${identities.join(' or ')}`,
    }
  }
  return { what, level: 'ok', text: 'No CAA record: any authority may issue' }
}

/** Requests a challenge as the authority will: by name, over port 80. */
async function challengeOf(
  { thumbprint, isSetUp, serverName }: Grounds,
  name: string,
  address: string,
): Promise<Check> {
  const what = 'challenge' as const
  const token = `innkeeper-${randomBytes(12).toString('hex')}`
  const heard = await get(address, name, `/.well-known/acme-challenge/${token}`)
  if (heard.text === `${token}.${thumbprint}`) return { what, level: 'ok', text: 'Its challenge is answered' }
  if (heard.status === undefined)
    return { what, level: 'blocker', text: `Port 80 of ${address} does not answer: ${heard.text}` }
  if (!isSetUp) return { what, level: 'unknown', text: `${serverName} is first set up to answer, then checked again` }
  return { what, level: 'blocker', text: `${address} answers the challenge wrongly (${heard.status})` }
}

function get(address: string, host: string, path: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve) => {
    const asked = request(
      { host: address, port: 80, path, headers: { host }, timeout: 5000, agent: false },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          if (text.length < 1000) text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode, text }))
        answer.on('error', (error) => resolve({ status: undefined, text: error.message }))
      },
    )
    asked.on('timeout', () => asked.destroy(new Error('no answer in 5 s')))
    asked.on('error', (error) => resolve({ status: undefined, text: error.message }))
    asked.end()
  })
}

/** The records, an empty list if there are none, or the reason why no resolver answered. */
async function found<T>(asked: Promise<T[]>): Promise<T[] | string> {
  try {
    return await asked
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENODATA' || code === 'ENOTFOUND') return []
    const plain: Record<string, string> = {
      ESERVFAIL: 'its name servers fail',
      ETIMEOUT: 'no answer in time',
      EREFUSED: 'the resolver refuses',
    }
    return plain[code] ?? (error instanceof Error ? error.message : String(error))
  }
}

/** The names that would fail an order, with reasons; empty when none would. */
export const blockersOf = (checks: readonly NameCheck[]): { name: string; reason: string }[] =>
  checks.flatMap(({ name, ok, checks: looks }) =>
    ok
      ? []
      : [
          {
            name,
            reason: looks
              .filter(({ level }) => level === 'blocker')
              .map(({ text }) => text)
              .join('; '),
          },
        ],
  )
