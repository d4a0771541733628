import { setTimeout as sleep } from 'node:timers/promises'
import { contentBytes } from '@innkeeper/contract/net/dns/contentBytes'
import { isLater } from '@innkeeper/contract/net/dns/records'
import { numberOfType } from '@innkeeper/contract/net/dns/typeNumbers'
import type { Ask } from '@innkeeper/contract/net/dns/validate'
import type { ReportLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Work } from '../../kit/work/action.ts'
import { askSerial, LATE } from '../../net/dns/actions.ts'
import { allSets, type Sets } from '../../net/dns/publications/sets.ts'
import { readNameServers } from '../../net/dns/settings.ts'
import { askAt } from '../../net/dns/signing/ask.ts'
import { zones } from '../../net/dns/tables.ts'
import type { Made } from './tables.ts'
import { line } from './verifyMail.ts'

/** What a publication takes at most, before an import says that a name server does not have the zone yet. */
const WAIT_MS = 60_000
const PATIENCE_MS = 10_000
/** Record sets that one name server is asked for at the same time. */
const AT_ONCE = 8
const [NS, DS] = ['NS', 'DS']

/** The records of each zone: how many are stored, and what each name server answers over port 53. */
export async function zonesOf(made: Made, work: Work): Promise<ReportLine[]> {
  const { db } = work.app
  const servers = await readNameServers(db)
  const lines: ReportLine[] = []
  for (const { domain, records, active } of made.zones) {
    const [stored] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from records r join zones z on z.zone_id = r.zone_id
        where z.domain = ${domain} and z.deleted_at is null and not (r.type = 'NS' and r.name = '@')`,
    )
    lines.push(line('zone', domain, 'records without name servers', records, stored?.n ?? 0))
    if (active)
      for (const { name, address } of servers) lines.push(await answersAt(db, domain, { name, address }, work))
  }
  return lines
}

async function answersAt(
  db: Db,
  domain: string,
  at: { name: string; address: string },
  work: Work,
): Promise<ReportLine> {
  const [zone] = await db
    .select()
    .from(zones)
    .where(and(eq(zones.domain, domain), isNull(zones.deletedAt)))
  if (!zone) return line('zone', domain, `answers of ${at.name}`, 'the zone', 'no zone')
  const sets = askable(domain, await allSets(db, zone))
  const late = await notYet(domain, zone.serial, at.address, work)
  // a name server that is down gets the zone once it is back: the publication waits for it
  if (late)
    return {
      ...line('zone', domain, `answers of ${at.name}`, counted(sets.length), late),
      verdict: 'changed',
    }
  const wrong = await differing(askAt(at.address, { patienceMs: PATIENCE_MS }), sets)
  for (const one of wrong.slice(0, 20)) work.say(`${at.name}: ${one}`)
  const [first, ...more] = wrong
  const otherwise = first && `otherwise ${first}${more.length ? ` and ${more.length} more` : ''}`
  return line('zone', domain, `answers of ${at.name}`, counted(sets.length), otherwise ?? counted(sets.length))
}

const counted = (sets: number) => `${sets} of its sets of records`

/** The sets that a name server answers for: names at and below a delegation are answered by a referral. */
export function askable(domain: string, sets: Sets): Sets {
  const apex = domain
  const cuts = sets
    .filter(({ recordType, owner }) => recordType === NS && owner.toLowerCase() !== apex)
    .map(({ owner }) => owner.toLowerCase())
  return sets.filter(({ owner, recordType }) => {
    const name = owner.toLowerCase()
    const isCut = cuts.includes(name)
    return isCut ? recordType === DS : !cuts.some((cut) => name.endsWith(`.${cut}`))
  })
}

/** Why a name server does not have this serial after a minute; undefined: it answers with it. */
async function notYet(
  domain: string,
  serial: number,
  address: string,
  { signal, say }: Work,
): Promise<string | undefined> {
  let last = 'nothing'
  for (const end = performance.now() + WAIT_MS; performance.now() < end && !signal.aborted; ) {
    const answer = await askSerial(address, domain, { tries: LATE, signal })
    if (typeof answer === 'number' && !isLater(serial, answer)) return undefined
    last = typeof answer === 'number' ? `serial ${answer}, not yet ${serial}` : answer
    say(`waits until ${address} answers for ${domain}: ${last}`)
    await sleep(1000, undefined, { signal }).catch(() => {}) // aborted: the loop condition ends the loop
  }
  return last
}

const hexOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')

/** The sets of which a name server answers other records, in words. Of rare types only the number is compared. */
export async function differing(ask: Ask, sets: Sets): Promise<string[]> {
  const wrong: string[] = []
  const left = [...sets]
  const work = async () => {
    for (let set = left.shift(); set; set = left.shift()) {
      const { owner, recordType, contents } = set
      const number = numberOfType(recordType)
      if (number === undefined) continue
      const found = await ask(owner, number).then(
        ({ answers }) => answers.filter(({ type }) => type === number).map(({ data }) => hexOf(data)),
        (error: Error) => error.message,
      )
      const wanted = contents.map((content) => hexOf(contentBytes(recordType, content)))
      const isKnown = !wanted.includes(undefined)
      if (typeof found === 'string') wrong.push(`${owner} ${recordType}: ${found}`)
      else if (found.length !== contents.length)
        wrong.push(`${owner} ${recordType}: ${found.length} of ${contents.length} records`)
      else if (isKnown && found.toSorted().join() !== wanted.toSorted().join())
        wrong.push(`${owner} ${recordType}: other content than ${contents.join(', ').slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return wrong
}
