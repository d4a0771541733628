import { type Entry, readRecord } from '@innkeeper/contract/net/dns/records'
import { eq, sql } from 'drizzle-orm'
import { chunks } from '../../kit/db/chunks.ts'
import type { Db } from '../../kit/db/db.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import * as tables from '../../tables.ts'
import { digestOf } from './records/digest.ts'

const ZONES = 1500
const AT_ONCE = 2000
/** Name of a template that every seeded provider has once. */
const SHOP = 'Website with our mail'
const NAME_SERVERS = ['ns1.fjellhost.example', 'ns2.fjellhost.example']

/** Adds zones for most websites with typical records, templates, and departments that own zones. */
export async function seedZones(db: Db, say: (line: string) => void): Promise<void> {
  const [known] = await db.select().from(tables.dnsTemplates).where(eq(tables.dnsTemplates.name, SHOP)).limit(1)
  if (known) throw new Error('The zones are seeded already')
  const d = dice(5353)
  await db.transaction(async (tx) => {
    const sites = await tx
      .select({ domain: tables.websites.domain, createdAt: tables.websites.createdAt })
      .from(tables.websites)
      .where(sql`deleted_at is null and not exists (select from zones z where z.domain = websites.domain)`)
      .orderBy(tables.websites.id)
      .limit(ZONES)
    const departments = await tx.select().from(tables.departments).orderBy(tables.departments.id)
    const platform = departments.find(({ name }) => name === 'Platform')
    const support = departments.find(({ name }) => name === 'Support')
    const promoted = [platform, support].filter((one) => one !== undefined)
    if (promoted.length)
      await tx
        .insert(tables.dnsDepartments)
        .values(promoted.map(({ id }) => ({ departmentId: id, by: 'Ingrid Solberg' })))
    await tx
      .insert(tables.dnsSettings)
      .values({ nameServers: NAME_SERVERS, hostmaster: 'hostmaster.fjellhost.example' })
      .onConflictDoNothing()
    await tx.insert(tables.dnsTemplates).values([
      { name: SHOP, records: template('mx1.fjellhost.example.') },
      { name: 'Website, mail elsewhere', records: template('mail.{domain}.') },
    ])
    const made = sites.map(({ domain, createdAt }, i) => {
      const entries = recordsOf(domain, d)
      return {
        entries,
        row: {
          domain,
          active: !d.chance(0.03),
          adminOnly: i % 211 === 7,
          departmentIds: platform && d.chance(0.05) ? [platform.id] : [],
          serial: 2_026_110_101 + d.below(900),
          dnssec: d.chance(0.2),
          digest: digestOf(domain, entries),
          records: entries.length,
          changedBy: d.pick(['Innkeeper', 'Erik Lindqvist', 'Ingrid Solberg', 'Kari Nordmann']),
          createdAt,
          updatedAt: createdAt,
        },
      }
    })
    if (!made.length) return
    const zones = await tx
      .insert(tables.zones)
      .values(made.map(({ row }) => row))
      .returning({ id: tables.zones.id })
    const records = zones.flatMap(({ id }, i) => (made[i]?.entries ?? []).map((entry) => ({ zoneId: id, ...entry })))
    for (const some of chunks(records, AT_ONCE)) await tx.insert(tables.records).values(some)
    await seedChanges(tx, zones, made)
    say(`${zones.length} zones with ${records.length} records`)
  })
}

/** The creation of each zone with all its records, as a change. */
async function seedChanges(
  db: Db,
  zones: { id: number }[],
  made: { entries: Entry[]; row: { serial: number; createdAt: string } }[],
) {
  const some = zones.slice(0, 100)
  const changes = await db
    .insert(tables.zoneChanges)
    .values(
      some.map(({ id: zoneId }, i) => ({
        ...{ zoneId, by: 'Innkeeper', kind: 'create' as const },
        serial: made[i]?.row.serial ?? 1,
        at: made[i]?.row.createdAt,
      })),
    )
    .returning()
  const lines = changes.flatMap(({ id: changeId, zoneId }, i) =>
    (made[i]?.entries ?? []).map((entry) => ({ changeId, zoneId, sign: '+' as const, ...entry })),
  )
  await db.insert(tables.zoneChangeLines).values(lines)
}

const template = (mail: string) => [
  { name: '@', type: 'A' as const, ttl: 3600, priority: null, content: '{address}' },
  { name: 'www', type: 'CNAME' as const, ttl: 3600, priority: null, content: '{domain}.' },
  { name: '@', type: 'MX' as const, ttl: 3600, priority: 10, content: mail },
  { name: '@', type: 'TXT' as const, ttl: 3600, priority: null, content: '"v=spf1 mx -all"' },
]

/** Records of a small shop, validated by the same rules as records of staff. */
function recordsOf(domain: string, d: Dice): Entry[] {
  const address = `185.14.${90 + d.below(8)}.${1 + d.below(250)}`
  const typed: { name: string; type: string; ttl?: number; priority?: number; content: string }[] = [
    ...NAME_SERVERS.map((content) => ({ name: '@', type: 'NS', ttl: 86_400, content: `${content}.` })),
    { name: '@', type: 'A', content: address },
    { name: 'www', type: 'CNAME', content: `${domain}.` },
    { name: '@', type: 'MX', priority: 10, content: 'mx1.fjellhost.example.' },
    { name: '@', type: 'MX', priority: 20, content: 'mx2.fjellhost.example.' },
    { name: '@', type: 'TXT', content: 'v=spf1 mx include:_spf.fjellhost.example -all' },
    { name: '_dmarc', type: 'TXT', content: `v=DMARC1; p=quarantine; rua=mailto:dmarc@${domain}` },
  ]
  if (d.chance(0.5)) typed.push({ name: '@', type: 'AAAA', content: `2a02:20c8:4120::${1 + d.below(4000)}` })
  if (d.chance(0.5))
    typed.push({
      name: 'fh1._domainkey',
      type: 'TXT',
      content: `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(8)}`,
    })
  if (d.chance(0.4)) typed.push({ name: '@', type: 'CAA', content: '0 issue "letsencrypt.org"' })
  if (d.chance(0.3))
    typed.push({ name: d.pick(['shop', 'blog', 'app', 'cloud']), type: 'A', ttl: 300, content: address })
  if (d.chance(0.2)) typed.push({ name: 'autodiscover', type: 'CNAME', content: 'mail.fjellhost.example.' })
  if (d.chance(0.1))
    typed.push({ name: '_sip._tls', type: 'SRV', priority: 100, content: '1 443 sip.fjellhost.example.' })
  return typed.flatMap((one) => {
    const read = readRecord({ ttl: 3600, ...one }, domain)
    return 'entry' in read ? read.entry : []
  })
}
