import { randomBytes } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { fullName } from '@innkeeper/contract/net/dns/names'
import { wireContent } from '@innkeeper/contract/net/dns/records'
import { parseZoneFile } from '@innkeeper/contract/net/dns/zoneFile'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { digestOf } from './powerdnsZone.ts'
import { rareSets } from './test/rareRecords.ts'
import { signedZones } from './test/signedZones.ts'

type Zone = OperationInput<'dns-zone.ensure'>
const packages = ['pdns-server', 'pdns-backend-sqlite3', 'bind9-dnsutils']
const zoneKey = randomBytes(32).toString('base64')

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'zones' : `zones (${verdict.reason})`, () => {
  let primary: Practice<Host>
  let secondary: Practice<Host>
  beforeAll(async () => {
    const lab = await openLab({ dir: labDir })
    primary = await practice(lab, 'zones-1', 'dns')
    secondary = await practice(lab, 'zones-2', 'dns')
    for (const p of [primary, secondary]) {
      await p.done('packages.ensure', { packages })
      await p.done('powerdns.ensure', {})
    }
  })
  afterAll(async () => {
    await secondary?.host.wipe()
    await primary?.end()
  })

  const zoneOf = (domain: string, serial: number, sets: Zone['sets'], more: Partial<Zone> = {}): Zone => ({
    ...{ domain, serial, sets, whole: true, signed: false, zoneKey },
    nameServer: 'ns1.host.example',
    hostmaster: 'hostmaster.host.example',
    secondaries: [secondary.host.address],
    ...more,
  })
  const set = (owner: string, recordType: Zone['sets'][number]['recordType'], ...contents: string[]) => ({
    ...{ owner, recordType, contents },
    ttl: 300,
  })
  const ns = (domain: string) => set(domain, 'NS', 'ns1.host.example.', 'ns2.host.example.')
  const fetchOf = (domain: string, serial: number) => ({ domain, serial, primary: primary.host.address, zoneKey })
  /** The answers that dig gets over the network. */
  const dig = async (p: Practice<Host>, ...words: string[]) =>
    (await primary.host.exec(['dig', '+time=2', '+tries=1', `@${p.host.address}`, ...words])).stdout
  const short = async (p: Practice<Host>, ...words: string[]) =>
    (await dig(p, '+short', ...words)).trim().split('\n').sort().join(' ')
  const serialAt = async (p: Practice<Host>, domain: string) => Number((await short(p, domain, 'SOA')).split(' ')[2])
  const both = () => [primary, secondary]
  const tell = async (zone: Zone) => {
    const answer = await primary.done('dns-zone.ensure', zone)
    await secondary.done('dns-zone.fetch', fetchOf(zone.domain, zone.serial))
    return answer
  }

  test('serves a zone with every record type on both servers, unchanged', async () => {
    const domain = 'all.example'
    const hex = 'ab'.repeat(32)
    const sets = [
      ns(domain),
      set(domain, 'A', '192.0.2.10', '192.0.2.11'),
      set(domain, 'AAAA', '2001:db8::10'),
      set(domain, 'MX', '10 mail.all.example.', '20 mx.other.net.'),
      set(domain, 'TXT', '"v=spf1 -all"', '"say \\"hi\\" \\195\\169" "more"', `"${'x'.repeat(255)}" "y"`),
      set(domain, 'CAA', '0 issue "letsencrypt.org"'),
      set(`www.${domain}`, 'CNAME', 'all.example.'),
      set(`*.${domain}`, 'A', '192.0.2.12'),
      set(`_sip._tcp.${domain}`, 'SRV', '5 0 5060 sip.all.example.'),
      set(`_443._tcp.${domain}`, 'TLSA', `3 1 1 ${hex}`),
      set(`host.${domain}`, 'SSHFP', `4 2 ${hex}`),
      set(`sub.${domain}`, 'NS', 'ns.other.net.'),
      set(`sub.${domain}`, 'DS', `12345 13 2 ${hex}`),
      set(`rev.${domain}`, 'PTR', 'host.all.example.'),
      set(`edge.${domain}`, 'ALIAS', 'edge.other.net.'),
      ...rareSets(domain),
    ]
    await tell(zoneOf(domain, 2026112101, sets))
    for (const p of both()) {
      expect(await serialAt(p, domain)).toBe(2026112101)
      expect(await short(p, domain, 'A')).toBe('192.0.2.10 192.0.2.11')
      expect(await short(p, domain, 'MX')).toBe('10 mail.all.example. 20 mx.other.net.')
      expect(await short(p, domain, 'TXT')).toContain('"say \\"hi\\" \\195\\169" "more"')
      expect(await short(p, `anything.${domain}`, 'A')).toBe('192.0.2.12')
      expect(await short(p, `_443._tcp.${domain}`, 'TLSA')).toContain('3 1 1 ABABAB')
      // the name server stores records in the form that the comparison uses
      const { output } = await p.done('dns-zone.read', { domain })
      const lines = sets.flatMap(({ owner, recordType, ttl, contents }) =>
        contents.map((content) => `${owner}. ${ttl} ${recordType} ${content}`),
      )
      expect(output).toEqual({ serial: 2026112101, lines: lines.sort(), fault: null })
    }
  })

  test('tells other accounts of the server neither the keys of zones nor what is asked', async () => {
    const as = (script: string) =>
      primary.host.exec(['setpriv', '--reuid=nobody', '--clear-groups', 'sh', '-c', script])
    const readable = await as(
      'for end in "" -wal -shm; do cat /var/lib/powerdns/innkeeper.sqlite3$end && echo READ; done',
    )
    expect(readable.stdout).toBe('')
    for (const path of ['', 'metrics', 'api/v1/servers'])
      expect((await as(`curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8081/${path}`)).stdout).toBe('401')
  })

  test('compares an unchanged zone without writing it', async () => {
    const zone = zoneOf('calm.example', 2026112105, [ns('calm.example'), set('calm.example', 'A', '192.0.2.1')])
    await tell(zone)
    // a written set gets new rows
    const script =
      "new (require('node:sqlite').DatabaseSync)('/var/lib/powerdns/innkeeper.sqlite3', { readOnly: true })"
    const ask = "prepare('select max(id) as newest, count(*) as n from records').get()"
    const changes = () => primary.sh('/opt/test/node', '-p', `JSON.stringify(${script}.${ask})`)
    const before = await changes()
    expect((await tell(zone)).output).toMatchObject({ changed: 0 })
    expect(await changes()).toBe(before)
  })

  test('changes one record set only, never returns to an earlier serial, and answers a diff of a full sync', async () => {
    const domain = 'moves.example'
    await tell(
      zoneOf(domain, 10, [ns(domain), set(`www.${domain}`, 'A', '192.0.2.1'), set(`mail.${domain}`, 'A', '192.0.2.2')]),
    )
    const { said } = await tell(
      zoneOf(domain, 12, [set(`www.${domain}`, 'CNAME', 'x.example.'), set(`www.${domain}`, 'A')], { whole: false }),
    )
    expect(said.join('\n')).toContain(
      `- www.${domain}. 300 A 192.0.2.1\n+ www.${domain}. 300 CNAME x.example.`.split('\n')[0],
    )
    for (const p of both()) {
      expect(await short(p, `www.${domain}`, 'CNAME')).toBe('x.example.')
      expect(await short(p, `mail.${domain}`, 'A')).toBe('192.0.2.2')
    }
    const late = await primary.done(
      'dns-zone.ensure',
      zoneOf(domain, 11, [set(`www.${domain}`, 'A', '192.0.2.9')], { whole: false }),
    )
    expect(late.output).toMatchObject({ serial: 12, changed: 0 })
    // serial arithmetic: 1 is later than 4294967295
    await tell(zoneOf('wraps.example', 4_294_967_295, [ns('wraps.example')]))
    await tell(zoneOf('wraps.example', 1, [set('a.wraps.example', 'A', '192.0.2.3')], { whole: false }))
    expect(await short(secondary, 'a.wraps.example', 'A')).toBe('192.0.2.3')
  })

  test('applies simultaneous changes of many zones', async () => {
    const domains = Array.from({ length: 8 }, (_, n) => `at-once-${n}.example`)
    for (const domain of domains) await primary.done('dns-zone.ensure', zoneOf(domain, 10, [ns(domain)]))
    const change = (domain: string, serial: number) =>
      zoneOf(domain, serial, [set(`www.${domain}`, 'A', `192.0.2.${serial}`)], { whole: false })
    for (const serial of [11, 12, 13])
      await Promise.all(domains.map((domain) => primary.done('dns-zone.ensure', change(domain, serial))))
    for (const domain of domains) expect(await short(primary, `www.${domain}`, 'A')).toBe('192.0.2.13')
  })

  test('reports a refusal of the name server, and applies nothing of that change', async () => {
    const domain = 'refused.example'
    await tell(zoneOf(domain, 10, [ns(domain), set(`www.${domain}`, 'A', '192.0.2.1')]))
    const wrong = zoneOf(domain, 11, [set(`good.${domain}`, 'A', '192.0.2.2'), set(`bad.${domain}`, 'A', 'nonsense')], {
      whole: false,
    })
    expect(await primary.op('dns-zone.ensure', wrong)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('bad.refused.example'),
    })
    expect(await short(primary, `good.${domain}`, 'A')).toBe('')
    expect(await serialAt(primary, domain)).toBe(10)
    expect(await primary.op('dns-zone.ensure', zoneOf('unknown.example', 5, [], { whole: false }))).toMatchObject({
      status: 'failed',
    })
  })

  test('serves a new zone at once despite a cached negative answer, and stops serving a deleted one', async () => {
    const domain = 'early.example'
    for (const p of both())
      for (const name of [domain, `www.${domain}`]) expect(await dig(p, name, 'A')).toContain('REFUSED')
    await tell(zoneOf(domain, 10, [ns(domain), set(`www.${domain}`, 'A', '192.0.2.1')]))
    for (const p of both()) expect(await short(p, `www.${domain}`, 'A')).toBe('192.0.2.1')
    for (const p of both()) await p.done('dns-zone.remove', { domain })
    for (const p of both()) expect(await dig(p, `www.${domain}`, 'A')).toContain('REFUSED')
  })

  test('transfers a zone only with the key', async () => {
    const domain = 'secret.example'
    await tell(zoneOf(domain, 10, [ns(domain)]))
    expect(await dig(primary, domain, 'AXFR')).toContain('Transfer failed')
    expect(
      await dig(primary, '-y', `hmac-sha256:innkeeper:${randomBytes(32).toString('base64')}`, domain, 'AXFR'),
    ).not.toContain('ns1.host.example')
    expect(await dig(primary, '-y', `hmac-sha256:innkeeper:${zoneKey}`, domain, 'AXFR')).toContain('ns1.host.example')
  })

  test('detects drift of a serial, a record or an extra zone, and repairs it', async () => {
    const domain = 'drift.example'
    const sets = [ns(domain), set(`www.${domain}`, 'A', '192.0.2.1')]
    await tell(zoneOf(domain, 20, sets))
    await tell(zoneOf('left.example', 20, [ns('left.example')]))
    const digest = digestOf(
      sets.flatMap(({ owner, recordType, ttl, contents }) =>
        contents.map((content) => `${owner}. ${ttl} ${recordType} ${content}`),
      ),
    )
    const compare = async (p: Practice<Host>, serial = 20) =>
      (
        await p.done('dns-zones.compare', {
          zones: [{ domain, serial, digest }],
          absent: ['left.example', 'never.example'],
        })
      ).output
    for (const p of both()) expect(await compare(p)).toEqual({ differing: [], present: ['left.example'] })
    expect(await compare(primary, 21)).toMatchObject({ differing: [{ domain, serial: 20, digest }] })
    await primary.sh('pdnsutil', 'add-record', domain, 'by-hand', 'A', '192.0.2.66')
    expect(await compare(primary)).toMatchObject({ differing: [{ domain }] })
    const { said } = await tell(zoneOf(domain, 25, sets))
    expect(said).toContain(`- by-hand.${domain}. 3600 A 192.0.2.66`)
    for (const p of both()) expect(await compare(p, 25)).toMatchObject({ differing: [] })
    for (const p of both()) await p.done('dns-zone.remove', { domain: 'left.example' })
    for (const p of both()) expect(await compare(p, 25)).toMatchObject({ present: [] })
    expect(await dig(secondary, 'left.example', 'SOA')).toContain('REFUSED')
  })

  test('undo removes a zone that it created, and keeps an existing one', async () => {
    const zone = zoneOf('undone.example', 10, [ns('undone.example')])
    await primary.done('dns-zone.ensure', zone, { id: 9001 })
    await secondary.done('dns-zone.fetch', fetchOf(zone.domain, 10), { id: 9002 })
    const later = { ...zone, serial: 11, whole: false, sets: [set(`a.${zone.domain}`, 'A', '192.0.2.1')] }
    await primary.done('dns-zone.ensure', later, { id: 9003 })
    await primary.done('dns-zone.ensure', later, { id: 9003, task: 'undo' })
    expect(await serialAt(primary, zone.domain)).toBe(11)
    await secondary.done('dns-zone.fetch', fetchOf(zone.domain, 10), { id: 9002, task: 'undo' })
    await primary.done('dns-zone.ensure', zone, { id: 9001, task: 'undo' })
    for (const p of both()) expect(await dig(p, zone.domain, 'SOA')).toContain('REFUSED')
  })

  test('waits for a PowerDNS that the kernel has killed', async () => {
    const domain = 'oom.example'
    const zone = zoneOf(domain, 10, [ns(domain)])
    await primary.host.exec(['systemctl', 'kill', '--signal=KILL', 'pdns'])
    await primary.done('dns-zone.ensure', zone)
    await secondary.host.exec(['systemctl', 'kill', '--signal=KILL', 'pdns'])
    await secondary.done('dns-zone.fetch', fetchOf(domain, 10))
    for (const p of both()) expect(await serialAt(p, domain)).toBe(10)
  })

  test('completes a zone after a kill at any moment', async () => {
    const domain = 'killed.example'
    for (const [n, ms] of [20, 60, 110, 170].entries()) {
      const zone = zoneOf(domain, 30 + n, [ns(domain), set(`n${n}.${domain}`, 'A', '192.0.2.1')])
      await primary.killAfter(ms, 'dns-zone.ensure', zone)
      await primary.done('dns-zone.ensure', zone, { inspect: true })
      await secondary.killAfter(ms, 'dns-zone.fetch', fetchOf(domain, 30 + n))
      await secondary.done('dns-zone.fetch', fetchOf(domain, 30 + n), { inspect: true })
      for (const p of both()) expect(await short(p, `n${n}.${domain}`, 'A')).toBe('192.0.2.1')
    }
  })

  test('signs a zone on both servers, and answers its DS records', async () => {
    const domain = 'signed.example'
    await tell(zoneOf(domain, 10, [ns(domain), set(`www.${domain}`, 'A', '192.0.2.1')]))
    const { output } = await tell(zoneOf(domain, 11, [], { whole: false, signed: true }))
    expect((output as { ds: string[] }).ds).toEqual([expect.stringMatching(/^\d+ 13 2 [0-9a-f]{64}$/)])
    for (const p of both()) expect(await dig(p, '+dnssec', `www.${domain}`, 'A')).toMatch(/RRSIG\s+A 13/)
    const plain = await tell(
      zoneOf(domain, 12, [set(`new.${domain}`, 'A', '192.0.2.2')], { whole: false, signed: true }),
    )
    expect(plain.output).toMatchObject({ serial: 12 })
    for (const p of both()) expect(await dig(p, '+dnssec', `new.${domain}`, 'A')).toMatch(/RRSIG\s+A 13/)
    await tell(zoneOf(domain, 13, [], { whole: false }))
    for (const p of both()) expect(await dig(p, '+dnssec', `www.${domain}`, 'A')).not.toContain('RRSIG')
  })

  test('a zone of 20,000 records is answered by both name servers', async () => {
    const domain = 'large.example'
    const sets = Array.from({ length: 20_000 }, (_, n) =>
      set(`host-${n}.a-name-that-is-rather-long-as-many-are.${domain}`, 'TXT', `"${'x'.repeat(60)} ${n}"`),
    )
    await tell(zoneOf(domain, 10, [ns(domain), ...sets]))
    for (const p of both()) {
      expect(await serialAt(p, domain)).toBe(10)
      expect(await short(p, `host-19999.a-name-that-is-rather-long-as-many-are.${domain}`, 'TXT')).toContain('19999')
    }
  })

  signedZones({ primary: () => primary, secondary: () => secondary, zoneOf, ns, set, zoneKey })

  test('keeps no zone on a secondary whose primary lacks it', async () => {
    const answer = await secondary.op('dns-zone.fetch', fetchOf('nowhere.example', 5))
    expect(answer).toMatchObject({ status: 'failed', reason: expect.stringContaining('has not given') })
    expect(await dig(secondary, 'nowhere.example', 'SOA')).toContain('REFUSED')
  })

  test('transfers a change to the secondary by NOTIFY alone', async () => {
    const domain = 'quick.example'
    await tell(zoneOf(domain, 10, [ns(domain)]))
    await primary.done('dns-zone.ensure', zoneOf(domain, 11, [set(`a.${domain}`, 'A', '192.0.2.1')], { whole: false }))
    // no operation queries the secondary, so only NOTIFY can update it
    await expect.poll(() => short(secondary, `a.${domain}`, 'A'), { interval: 100 }).toBe('192.0.2.1')
  })

  test('serves a zone file of other software record by record', async () => {
    const domain = 'moved.example'
    const { entries, skipped } = parseZoneFile(zoneFile, domain)
    expect(skipped.map(({ why }) => why)).toEqual(['Innkeeper manages the SOA record'])
    const bySet = Map.groupBy(entries, ({ name, type }) => `${name} ${type}`)
    const sets = [...bySet.values()].flatMap((all) => {
      const [first] = all
      if (!first) return []
      const { name, type, ttl } = first
      return { owner: fullName(name, domain), recordType: type, ttl, contents: all.map(wireContent) }
    })
    await tell(zoneOf(domain, 10, sets))
    for (const p of both()) {
      const answers = await dig(p, '+noall', '+answer', ...answered.flatMap(([name, , type]) => [name, type]))
      const lines = answers
        .trim()
        .split('\n')
        .map((line) => line.replace(/\s+/g, ' ').replace(' IN ', ' ')) // dig aligns columns
      expect([...new Set(lines)].sort()).toEqual(answered.map((words) => words.join(' ')).sort())
    }
  })

  test('answers an ALIAS with the addresses of its target, from the machine’s own resolver', async () => {
    await tell(zoneOf('target.example', 10, [ns('target.example'), set('edge.target.example', 'A', '192.0.2.77')]))
    for (const p of both()) {
      await p.sh('sh', '-c', `echo nameserver ${secondary.host.address} >/etc/resolv.conf`)
      await p.done('powerdns.ensure', {})
    }
    await tell(
      zoneOf('alias.example', 10, [ns('alias.example'), set('alias.example', 'ALIAS', 'edge.target.example.')]),
    )
    for (const p of both()) expect(await short(p, 'alias.example', 'A')).toBe('192.0.2.77')
  })
})

/** A zone file in the style of other software: other order, relative names, comments, records over several lines. */
const zoneFile = `; moved.example, kept by somebody else
$TTL 2h
$ORIGIN moved.example.
@   IN SOA ns1.host.example. hostmaster.moved.example. (
        2026010101 ; serial
        3h 1h      ; refresh, retry
        1w 5m )    ; expire, minimum
    IN NS  ns1.host.example.
       NS  ns2.host.example.
    300 IN MX 10 mail
        IN MX 20 mx.other.net.
@   TXT "v=spf1 mx -all"
www     A     192.0.2.10 ; the shop
        A     192.0.2.11
        AAAA  2001:DB8::10
mail 600 IN A 192.0.2.20
ftp     CNAME www
*.wild  A     192.0.2.30
quoted  TXT   "say \\"hi\\"; not a remark" "and \\195\\169"
dkim._domainkey TXT ( "v=DKIM1; k=rsa; "
                "p=MIGfMA0" )
$ORIGIN sub.moved.example.
$TTL 300
@       A     192.0.2.40
deep    CNAME @
_sip._tcp.moved.example. SRV 5 0 5060 mail.moved.example.
moved.example. CAA 0 issue "letsencrypt.org"
`
const answered: [name: string, ttl: string, type: string, content: string][] = [
  ['moved.example.', '7200', 'NS', 'ns1.host.example.'],
  ['moved.example.', '7200', 'NS', 'ns2.host.example.'],
  // all records of a set get the shortest TTL
  ['moved.example.', '300', 'MX', '10 mail.moved.example.'],
  ['moved.example.', '300', 'MX', '20 mx.other.net.'],
  ['moved.example.', '7200', 'TXT', '"v=spf1 mx -all"'],
  ['www.moved.example.', '7200', 'A', '192.0.2.10'],
  ['www.moved.example.', '7200', 'A', '192.0.2.11'],
  ['www.moved.example.', '7200', 'AAAA', '2001:db8::10'],
  ['mail.moved.example.', '600', 'A', '192.0.2.20'],
  ['ftp.moved.example.', '7200', 'CNAME', 'www.moved.example.'],
  ['any.wild.moved.example.', '7200', 'A', '192.0.2.30'],
  ['quoted.moved.example.', '7200', 'TXT', '"say \\"hi\\"; not a remark" "and \\195\\169"'],
  ['dkim._domainkey.moved.example.', '7200', 'TXT', '"v=DKIM1; k=rsa; " "p=MIGfMA0"'],
  ['sub.moved.example.', '300', 'A', '192.0.2.40'],
  ['deep.sub.moved.example.', '300', 'CNAME', 'sub.moved.example.'],
  ['_sip._tcp.moved.example.', '300', 'SRV', '5 0 5060 mail.moved.example.'],
  ['moved.example.', '300', 'CAA', '0 issue "letsencrypt.org"'],
]
