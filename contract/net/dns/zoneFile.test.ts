import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Entry, lineOf } from './records.ts'
import { quoteTxt } from './txt.ts'
import { parseZoneFile, writeZoneFile } from './zoneFile.ts'

const zone = 'example.org'
const linesIn = (file: string) => parseZoneFile(file, zone).entries.map((entry) => lineOf(entry, zone))

test('a zone file of other software is read record by record', () => {
  const file = `; written by somebody else
$TTL 1h
$ORIGIN example.org.
@	IN	SOA	ns1.other.net. hostmaster.other.net. (
		2026112101 ; serial
		3h 1h 1w 1h )
	IN	NS	ns1.other.net.
	IN	NS	ns2.other.net.
@	300	IN	A	192.0.2.10
www		CNAME	@
IN	600	A	192.0.2.99
mail	IN 600	A	192.0.2.20
	AAAA	2001:0DB8::0020
@	MX	10 mail
@	MX	20 mx.other.net.
@	TXT	( "v=spf1 mx; -all" ; a comment; with semicolons
		" include:x" )
quoted	TXT	"say \\"hi\\" \\195\\169" plain\\;word
_sip._tcp	SRV	5 0 5060 sip
$ORIGIN sub.example.org.
host	A	192.0.2.30
deep	CNAME	host
@	CAA	0 issue "letsencrypt.org"
`
  expect(linesIn(file)).toEqual([
    'example.org. 3600 NS ns1.other.net.',
    'example.org. 3600 NS ns2.other.net.',
    'example.org. 300 A 192.0.2.10',
    'www.example.org. 3600 CNAME example.org.',
    'in.example.org. 600 A 192.0.2.99',
    'mail.example.org. 600 A 192.0.2.20',
    'mail.example.org. 3600 AAAA 2001:db8::20',
    'example.org. 3600 MX 10 mail.example.org.',
    'example.org. 3600 MX 20 mx.other.net.',
    'example.org. 3600 TXT "v=spf1 mx; -all" " include:x"',
    'quoted.example.org. 3600 TXT "say \\"hi\\" \\195\\169" "plain;word"',
    '_sip._tcp.example.org. 3600 SRV 5 0 5060 sip.example.org.',
    'host.sub.example.org. 3600 A 192.0.2.30',
    'deep.sub.example.org. 3600 CNAME host.sub.example.org.',
    'sub.example.org. 3600 CAA 0 issue "letsencrypt.org"',
  ])
  expect(parseZoneFile(file, zone).skipped).toEqual([
    expect.objectContaining({ line: 4, why: expect.stringContaining('SOA') }),
  ])
})

test('a line without a name takes the name of a skipped line before it', () => {
  const file = 'a A 192.0.2.1\nb CH TXT x\n\tA 192.0.2.2\nc TXT "open\n\tA 192.0.2.3\n'
  expect(linesIn(file)).toEqual([
    'a.example.org. 3600 A 192.0.2.1',
    'b.example.org. 3600 A 192.0.2.2',
    'c.example.org. 3600 A 192.0.2.3',
  ])
})

test('without $TTL the last stated TTL applies, or the one in the SOA', () => {
  expect(linesIn('a 600 A 192.0.2.1\nb A 192.0.2.2\nc 60 A 192.0.2.3\nd A 192.0.2.4\n$TTL 5\ne A 192.0.2.5\n')).toEqual(
    [
      'a.example.org. 600 A 192.0.2.1',
      'b.example.org. 600 A 192.0.2.2',
      'c.example.org. 60 A 192.0.2.3',
      'd.example.org. 60 A 192.0.2.4',
      'e.example.org. 5 A 192.0.2.5',
    ],
  )
  const soa = '@ SOA ns.example.org. host.example.org. 1 3h 1h 1w 10m\n'
  expect(linesIn(`${soa}a 60 A 192.0.2.1\nb A 192.0.2.2\n`)).toEqual([
    'a.example.org. 60 A 192.0.2.1',
    'b.example.org. 600 A 192.0.2.2',
  ])
})

test('names below the root, numeric escapes and IPv4 in IPv6 are read like BIND does', () => {
  const file = `$ORIGIN .
example.org A 192.0.2.1
\tMX 10 mail.example.org
\\119w\\w.example.org AAAA 64:ff9b::192.0.2.33
b\\.c.example.org A 192.0.2.2
`
  expect(linesIn(file)).toEqual([
    'example.org. 3600 A 192.0.2.1',
    'example.org. 3600 MX 10 mail.example.org.',
    'www.example.org. 3600 AAAA 64:ff9b::c000:221',
  ])
  expect(parseZoneFile(file, zone).skipped.map(({ line }) => line)).toEqual([5])
})

test('unsupported lines are skipped with their number and the reason', () => {
  const { entries, skipped } = parseZoneFile(
    `$INCLUDE other.zone
www.other.org. 60 IN A 192.0.2.1
a 60 IN LUA A "os.exit()"
b 60 IN A 999.1.1.1
c 60 CH TXT x
d 60 IN TXT "open
e 60 IN A ( 192.0.2.1
`,
    zone,
  )
  expect(entries).toEqual([])
  expect(skipped.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(skipped[2]?.why).toContain('LUA')
})

test('a record set gets the shortest TTL of its records, and duplicates are dropped', () => {
  expect(linesIn('a 600 A 192.0.2.1\na 60 A 192.0.2.2\na 60 A 192.0.2.2\n')).toEqual([
    'a.example.org. 60 A 192.0.2.1',
    'a.example.org. 60 A 192.0.2.2',
  ])
})

test('every exported zone file is read back unchanged', () => {
  const name = fc.stringMatching(/^[a-z0-9]{1,10}(\.[a-z0-9]{1,10})?$/)
  const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 600 }).filter((text) => 'value' in quoteTxt(text))
  const entries: fc.Arbitrary<Entry> = fc.oneof(
    fc
      .record({ name, n: fc.integer({ min: 0, max: 255 }) })
      .map(({ name, n }) => ({ ...{ name, type: 'A' as const }, ttl: 60, priority: null, content: `192.0.2.${n}` })),
    fc.record({ name, text: texts }).map(({ name, text }) => {
      const quoted = quoteTxt(text)
      return { name, type: 'TXT' as const, ttl: 60, priority: null, content: 'value' in quoted ? quoted.value : '' }
    }),
    fc.record({ name, priority: fc.integer({ min: 0, max: 65_535 }) }).map(({ name, priority }) => ({
      ...{ name, priority },
      type: 'MX' as const,
      ttl: 60,
      content: 'mail.example.org.',
    })),
    name.map((name) => ({
      ...{ name, type: 'ALIAS' as const, ttl: 60, priority: null, content: 'www.other.example.net.' },
    })),
  )
  fc.assert(
    fc.property(fc.array(entries, { maxLength: 20 }), (all) => {
      const lines = [...new Set(all.map((entry) => lineOf(entry, zone)))].sort()
      const { entries: again, skipped } = parseZoneFile(writeZoneFile(zone, null, all), zone)
      expect(skipped).toEqual([])
      expect(again.map((entry) => lineOf(entry, zone)).sort()).toEqual(lines)
    }),
  )
})

test('$GENERATE is replaced by its records, with offset, width, base and steps', () => {
  const file = `$TTL 60
$GENERATE 1-5/2 host-\${10,3} A 192.0.2.$
$GENERATE 10-11 $.0-63 CNAME \${0,2,x}.rev
$GENERATE 1-2 a$ TXT "costs \\$5, number $"
$GENERATE 3-1 b$ A 192.0.2.$
$GENERATE 1-9999999 c$ A 192.0.2.1
`
  expect(linesIn(file)).toEqual([
    'host-011.example.org. 60 A 192.0.2.1',
    'host-013.example.org. 60 A 192.0.2.3',
    'host-015.example.org. 60 A 192.0.2.5',
    '10.0-63.example.org. 60 CNAME 0a.rev.example.org.',
    '11.0-63.example.org. 60 CNAME 0b.rev.example.org.',
    'a1.example.org. 60 TXT "costs $5, number 1"',
    'a2.example.org. 60 TXT "costs $5, number 2"',
  ])
  expect(parseZoneFile(file, zone).skipped.map(({ line }) => line)).toEqual([5, 6])
})

test('a name without its final dot is below the zone, also if it is the name of the zone', () => {
  expect(linesIn('example.org 60 A 192.0.2.1\nexample.org. 60 A 192.0.2.2\nx 60 MX 5 example.org\n')).toEqual([
    'example.org.example.org. 60 A 192.0.2.1',
    'example.org. 60 A 192.0.2.2',
    'x.example.org. 60 MX 5 example.org.example.org.',
  ])
})

test('records that cannot stand beside others of the file are refused beside their line', () => {
  const many = Array.from({ length: 201 }, (_, n) => `many 60 TXT "${n}"`)
  const file = `@ NS ns.other.net.
@ CNAME other.net.
www CNAME other.net.
www A 192.0.2.1
www TXT "x"
twice CNAME a.other.net.
twice CNAME b.other.net.
cut DS 1 13 2 ${'ab'.repeat(32)}
led DNAME other.net.
a.led A 192.0.2.1
alias ALIAS other.net.
alias AAAA 2001:db8::1
${many.join('\n')}
`
  const { entries, skipped } = parseZoneFile(file, zone)
  expect(skipped.map(({ line }) => line)).toEqual([2, 3, 6, 7, 8, 10, 11, 213])
  expect(skipped[0]?.why).toContain('use ALIAS')
  const kept = entries.filter(({ name }) => name !== 'many').map(({ name, type }) => `${name} ${type}`)
  expect(kept).toEqual(['@ NS', 'www A', 'www TXT', 'led DNAME', 'alias AAAA'])
})

test('lines that end with CR alone, letters that are not UTF-8 and orders with more words are not lost without a word', () => {
  expect(linesIn('\u{feff}$TTL 60\r; a comment\ra A 192.0.2.1\r\nb TXT "c"\r')).toEqual([
    'a.example.org. 60 A 192.0.2.1',
    'b.example.org. 60 TXT "c"',
  ])
  const { entries, skipped } = parseZoneFile('a TXT "gr\u{fffd}n"\n$TTL 60 b A 192.0.2.1\n$INCLUDE f sub\n', zone)
  expect([entries, skipped.map(({ line }) => line)]).toEqual([[], [1, 2, 3]])
  expect([skipped[0]?.why, skipped[2]?.why]).toEqual([
    expect.stringContaining('UTF-8'),
    expect.stringContaining('Another file'),
  ])
})

test('records that Innkeeper makes itself are told apart from records that it cannot keep', () => {
  const file = '@ SOA a. b. 1 2 3 4 5\n@ NSEC3PARAM 1 0 0 -\n$INCLUDE other\na A \\# 3 c00002\nb WKS 10.0.0.1 6 smtp\n'
  const { entries, skipped } = parseZoneFile(file, zone)
  expect(entries).toEqual([])
  expect(skipped.map(({ line, managed }) => [line, managed])).toEqual([
    [1, true],
    [2, true],
    [3, undefined],
    [4, undefined],
    [5, undefined],
  ])
})

test('records of every type are read back from an export, TTL 0 and names with / included', () => {
  const all = parseZoneFile(
    `a HTTPS 1 . alpn="h3,h2"
b SVCB 16 foo key667="a\\210b"
c NAPTR 100 10 S SIP+D2U "" _sip._udp
d URI 10 1 "https://example.org/;x"
e DNAME other.net.
f LOC 51 30 12.748 N 0 7 39.611 W 0m
g TYPE65280 \\# 2 0aFF
h 0 A 192.0.2.1
0/25 NS ns.other.net.
i RP john\\.doe .
j HINFO PC "a b"
`,
    zone,
  )
  expect(all.skipped).toEqual([])
  const again = parseZoneFile(writeZoneFile(zone, null, all.entries), zone)
  expect(again.skipped).toEqual([])
  expect(again.entries).toEqual(all.entries)
})

test('an ALIAS is written so that other software can read the file', () => {
  const alias = { name: '@', type: 'ALIAS' as const, ttl: 60, priority: null, content: 'www.example.net.' }
  expect(writeZoneFile(zone, null, [alias])).toBe(
    '$ORIGIN example.org.\nexample.org.\t60\tIN\tTYPE65401 \\# 17 03777777076578616d706c65036e657400 ; ALIAS www.example.net.\n',
  )
})

test('no text makes the parser throw or hang', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void parseZoneFile(text, zone)))
  fc.assert(fc.property(fc.stringMatching(/^[a-z@$"();\\ \t\n0-9.]{0,200}$/), (text) => void parseZoneFile(text, zone)))
})
