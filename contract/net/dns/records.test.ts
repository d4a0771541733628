import { describe, expect, test } from 'vitest'
import { lint } from './lint.ts'
import { looksLike, readName, readTarget } from './names.ts'
import { type Entry, isLater, nextSerial, readRecord } from './records.ts'
import { plainTxt, quoteTxt } from './txt.ts'

const zone = 'example.org'
const read = (type: string, content: string, more: { name?: string; ttl?: number; priority?: number } = {}) =>
  readRecord({ name: 'www', ttl: 300, type, content, ...more }, zone)
const kept = (type: string, content: string, more = {}) => {
  const got = read(type, content, more)
  return 'entry' in got ? got.entry.content : got.problems
}

describe('a name', () => {
  test.each([
    ['www', 'www'],
    ['@', '@'],
    ['', '@'],
    ['example.org', '@'],
    ['www.example.org', 'www'],
    ['www.example.org.', 'www'],
    ['WWW', 'www'],
    ['*.shop', '*.shop'],
    ['_dmarc', '_dmarc'],
    ['blåbær', 'xn--blbr-roah'],
  ])('%s is stored as %s', (typed, name) => {
    expect(readName(typed, zone)).toEqual({ value: name })
  })
  test.each([
    'other.org.',
    'a..b',
    'a.*',
    `${'a'.repeat(64)}`,
    'a b',
    'a;b',
    `${'abcdefgh.'.repeat(30)}x`,
    'é@evil',
    '\u00ad', // a soft hyphen is invisible and must not pass as the zone itself
  ])('%s is refused', (typed) => {
    expect(readName(typed, zone).problem).toEqual(expect.any(String))
  })
  test('look-alike letters cause a warning', () => {
    expect(looksLike('pаypal.com')).toContain('mixes')
    // ӏ is not in our table: a name causes a warning only if all its letters look Latin
    expect(looksLike('аррӏе.com')).toBeUndefined()
    expect(looksLike('хосе.com')).toContain('Cyrillic')
    expect(looksLike('blåbær.no')).toBeUndefined()
  })
  test('a target of one word is completed with the zone, one with a dot is complete', () => {
    expect(readTarget('mail', zone)).toEqual({ value: 'mail.example.org.' })
    expect(readTarget('mail.other.org', zone)).toEqual({ value: 'mail.other.org.' })
    expect(readTarget('192.0.2.1', zone).problem).toContain('not an address')
  })
})

describe('a record', () => {
  test.each([
    ['A', '192.0.2.10', '192.0.2.10'],
    ['AAAA', '2001:DB8:0:0::10', '2001:db8::10'],
    ['CNAME', 'shop', 'shop.example.org.'],
    ['TXT', 'v=spf1 -all', '"v=spf1 -all"'],
    ['TXT', '"a" "b"', '"a" "b"'],
    ['TXT', 'say "hi" \\ é', '"say \\"hi\\" \\\\ \\195\\169"'],
    ['CAA', '0 ISSUE letsencrypt.org', '0 issue "letsencrypt.org"'],
    ['TLSA', `3 1 1 ${'AB'.repeat(32)}`, `3 1 1 ${'ab'.repeat(32)}`],
    ['SSHFP', `4 2 ${'ab'.repeat(32)}`, `4 2 ${'ab'.repeat(32)}`],
    ['DS', `12345 13 2 ${'ab'.repeat(32)}`, `12345 13 2 ${'ab'.repeat(32)}`],
    ['NS', 'ns1.other.net', 'ns1.other.net.'],
    ['PTR', 'host.other.net.', 'host.other.net.'],
    ['ALIAS', 'edge.other.net', 'edge.other.net.'],
    ['OPENPGPKEY', 'mQINBFit2ioBEADhbeqrbe==', 'mQINBFit2ioBEADhbeqrbQ=='],
    ['HTTPS', '1 . port=8443 ALPN="h3,h2" ipv4hint=192.0.2.1', '1 . alpn=h3,h2 port=8443 ipv4hint=192.0.2.1'],
    ['SVCB', '0 svc', '0 svc.example.org.'],
    ['NAPTR', '100 10 s SIP+D2U "" _sip._udp.example.org', '100 10 "s" "SIP+D2U" "" _sip._udp.example.org.'],
    ['URI', '10 1 https://example.org/?a=1', '10 1 "https://example.org/?a=1"'],
    ['DNAME', 'other.net', 'other.net.'],
    [
      'HTTPS',
      '1 . mandatory=port,alpn alpn=h2 port=0443 ipv6hint=2001:DB8:0:0::0001 ohttp dohpath=/q{?dns}',
      '1 . mandatory=alpn,port alpn=h2 port=443 ipv6hint=2001:db8::1 key7="/q{?dns}" key8=""',
    ],
    ['LOC', '0 0 0 N 0 0 0 E 0m 15m', '0 0 0.000 S 0 0 0.000 W 0.00m 10.00m 10000.00m 10.00m'],
    ['TXT', '""', '""'],
    ['LOC', '51 30 12.7 N 0 7 39 W 10m', '51 30 12.700 N 0 7 39.000 W 10.00m 1.00m 10000.00m 10.00m'],
    ['RP', 'john\\.doe.example.org. .', 'john\\.doe.example.org. .'],
    ['CERT', '1 2 3 AAAA BBBB', '1 2 3 AAAABBBB'],
    ['IPSECKEY', '10 0 2 . AQNR', '10 0 2 AQNR'],
    ['IPSECKEY', '10 0 2 AQNR AQNR', '10 0 2 AQNRAQNR'],
    ['IPSECKEY', '10 2 2 2001:DB8:0::1 AQNR', '10 2 2 2001:db8::1 AQNR'],
    ['IPSECKEY', '10 3 2 gate AQNR', '10 3 2 gate.example.org. AQNR'],
    ['APL', '1:192.0.2.0/24 !2:2001:DB8::/32 2:::/0', '1:192.0.2.0/24 !2:2001:db8::/32 2:::/0'],
    ['CSYNC', '66 3 AAAA a ns A', '66 3 A NS AAAA'],
    ['MB', 'mail', 'mail.example.org.'],
    ['TYPE65280', '\\# 4 0A00 0001', '\\# 4 0a000001'],
  ])('%s %s is stored as %s', (type, content, as) => {
    expect(kept(type, content)).toBe(as)
  })
  test('MX and SRV have a priority, in its own field or in the content', () => {
    expect(read('MX', 'mail', { priority: 10 })).toMatchObject({
      entry: { priority: 10, content: 'mail.example.org.' },
    })
    expect(read('MX', '20 mail.other.org')).toMatchObject({ entry: { priority: 20, content: 'mail.other.org.' } })
    expect(read('SRV', '0 5060 sip', { priority: 5 })).toMatchObject({ entry: { content: '0 5060 sip.example.org.' } })
    expect(read('MX', 'mail.other.org')).toMatchObject({ problems: { priority: expect.any(String) } })
    expect(read('A', '192.0.2.1', { priority: 1 })).toMatchObject({ problems: { priority: 'A has no priority' } })
  })
  test.each([
    ['A', '999.1.1.1'],
    ['A', '010.1.1.1'],
    ['AAAA', '192.0.2.1'],
    ['AAAA', '::ffff:1.2.3.4'],
    ['AAAA', '::192.0.2.1'],
    ['CNAME', 'a b.org'],
    ['SRV', '0 sip.example.org'],
    ['CAA', 'issue letsencrypt.org'],
    ['TLSA', '3 1 1 abcd'],
    ['TLSA', `999 1 1 ${'ab'.repeat(32)}`],
    ['DS', '1 2 3'],
    ['IPSECKEY', '10 1 2 2001:db8::1 AQNR'],
    ['IPSECKEY', '10 1 0 192.0.2.38'],
    ['IPSECKEY', '10 4 2 x AQNR'],
    ['APL', '1:192.0.2.1/24'],
    ['APL', '2:2001:db8::1/64'],
    ['APL', '1:192.0.2.0/33'],
    ['APL', '3:192.0.2.0/24'],
    ['CSYNC', '66 4 A'],
    ['CSYNC', '66 3'],
    ['CSYNC', '66 3 A toString'],
    ['MB', 'a b'],
    ['HTTPS', '1 . mandatory=alpn'],
    ['HTTPS', '1 . ipv4hint=192.0.2.1,,192.0.2.2'],
    ['HTTPS', '1 . ipv6hint=x'],
    ['HTTPS', '1 . alpn="f\\\\oo\\,bar,h2"'],
    ['LOC', '1 0 0 N 1 0 0 E 0m 90000000m'],
    ['LOC', '1 0 0 N 1 0 0 E 42849673m'],
    ['TXT', ''],
    ['TXT', '"open'],
    ['TXT', 'x'.repeat(70_000)],
  ])('%s %.30s is refused with a problem of the content', (type, content) => {
    expect(read(type, content, type === 'SRV' ? { priority: 1 } : {})).toMatchObject({
      problems: { content: expect.any(String) },
    })
  })
  test.each([-5, 2 ** 31, 1.5, Number.NaN])('a TTL of %s is refused', (ttl) => {
    expect(read('A', '192.0.2.1', { ttl })).toMatchObject({ problems: { ttl: expect.any(String) } })
  })
  test('a TTL of 68 years is kept', () => {
    expect(read('A', '192.0.2.1', { ttl: 2 ** 31 - 1 })).toMatchObject({ entry: { ttl: 2 ** 31 - 1 } })
  })
  test.each(['SOA', 'LUA', 'AXFR', '', 'a\nb'])('the type %s is refused with a reason', (type) => {
    expect(read(type, 'x')).toMatchObject({ problems: { type: expect.any(String) } })
  })
  test('a long text is split into strings of 255 bytes and read back unchanged', () => {
    const text = `v=DKIM1; p=${'A"\\é'.repeat(200)}`
    const got = quoteTxt(text)
    expect('value' in got && plainTxt(got.value)).toBe(text)
    expect('value' in got && got.value.split('" "').length).toBeGreaterThan(3)
  })
})

describe('a serial', () => {
  test('rises across the end of 32 bits', () => {
    expect(nextSerial(2026112101)).toBe(2026112102)
    expect(nextSerial(0xffff_ffff)).toBe(1)
    expect(isLater(1, 0xffff_ffff)).toBe(true)
    expect(isLater(0xffff_ffff, 1)).toBe(false)
    expect(isLater(5, 5)).toBe(false)
  })
})

describe('a zone as a whole', () => {
  const entry = (name: string, type: Entry['type'], content: string, more: Partial<Entry> = {}): Entry => ({
    ...{ name, type, content, ttl: 300, priority: null },
    ...more,
  })
  const ns = entry('@', 'NS', 'ns1.other.net.')
  const problems = (stays: Entry[], made: Entry[]) => lint(zone, stays, made).problems.map(({ message }) => message)
  const warnings = (stays: Entry[], made: Entry[]) => lint(zone, stays, made).warnings.map(({ message }) => message)

  test.each<[string, Entry[], Entry[], string]>([
    ['a CNAME for the zone itself', [ns], [entry('@', 'CNAME', 'x.org.')], 'ALIAS'],
    [
      'a CNAME beside other records',
      [ns, entry('www', 'A', '192.0.2.1')],
      [entry('www', 'CNAME', 'x.org.')],
      'does not allow',
    ],
    [
      'other records beside a CNAME',
      [ns, entry('www', 'CNAME', 'x.org.')],
      [entry('www', 'TXT', '"x"')],
      'allows no other records',
    ],
    ['the same record twice', [ns, entry('www', 'A', '192.0.2.1')], [entry('www', 'A', '192.0.2.1')], 'Exists already'],
    ['two TTLs', [ns, entry('www', 'A', '192.0.2.1')], [entry('www', 'A', '192.0.2.2', { ttl: 60 })], 'share one TTL'],
    ['a second DNAME', [ns, entry('d', 'DNAME', 'x.org.')], [entry('d', 'DNAME', 'y.org.')], 'only one'],
    ['a name below a DNAME', [ns, entry('d', 'DNAME', 'x.org.')], [entry('a.b.d', 'A', '192.0.2.1')], 'whose DNAME'],
    [
      'a name below a DNAME of the zone',
      [ns, entry('@', 'DNAME', 'x.org.')],
      [entry('a', 'TXT', '"x"')],
      'whose DNAME',
    ],
    ['a name below a new DNAME', [ns], [entry('d', 'DNAME', 'x.org.'), entry('a.d', 'A', '192.0.2.1')], 'whose DNAME'],
    ['a DS without delegation', [ns], [entry('sub', 'DS', '1 13 2 ab')], 'not delegated'],
    ['no name server', [], [entry('www', 'A', '192.0.2.1')], 'no name server'],
  ])('%s is refused', (_, stays, made, text) => {
    expect(problems(stays, made).join()).toContain(text)
  })
  test('unusual records cause warnings and are accepted', () => {
    expect(warnings([ns], [entry('www', 'A', '192.0.2.1', { ttl: 5 })]).join()).toContain('TTL')
    for (const record of [
      entry(zone, 'A', '192.0.2.1'),
      entry(`www.${zone}`, 'A', '192.0.2.1'),
      entry('www', 'CNAME', `x.${zone}.${zone}.`),
      entry('@', 'MX', `${zone}.${zone}.`, { priority: 10 }),
    ])
      expect(warnings([ns], [record]).join()).toContain('ends with a dot')
    expect(warnings([ns], [entry('a.b', 'CNAME', `x.${zone}.`)])).toEqual([])
    expect(
      warnings([ns, entry('@', 'TXT', '"v=spf1 -all"')], [entry('@', 'TXT', '"v=spf1 mx -all"')]).join(),
    ).toContain('SPF')
    const [www, handed] = [entry('www', 'A', '192.0.2.1'), entry('www', 'NS', 'ns.other.net.')]
    expect(warnings([ns, www], [handed]).join()).toContain('its own A is answered there too')
    expect(warnings([ns, handed], [www]).join()).toContain('does not answer its A')
    const [cut, glue] = [entry('sub', 'NS', 'ns.sub.example.org.'), entry('ns.sub', 'A', '192.0.2.1')]
    expect(warnings([ns, cut], [entry('www.sub', 'A', '192.0.2.1')]).join()).toContain('is delegated')
    expect(warnings([ns], [cut, entry('ns.sub', 'TXT', '"x"')]).join()).toContain('does not answer its TXT')
    expect(warnings([ns, cut], [glue])).toEqual([])
    const mx = entry('@', 'MX', 'mail.example.org.', { priority: 10 })
    expect(warnings([ns, entry('mail', 'CNAME', 'x.org.')], [mx]).join()).toContain('CNAME')
    expect(problems([ns], [entry('www', 'A', '192.0.2.1')])).toEqual([])
  })
  test('a DNAME is refused above other names', () => {
    const under = (name: string, ...names: string[]) =>
      lint(zone, [ns], [entry(name, 'DNAME', 'x.org.')], false, names).problems.map(({ field }) => field)
    expect([under('d', '@', 'd', 'x-d', 'www'), under('d', 'a.b.d'), under('@', '@'), under('@', 'www')]).toEqual([
      ...[[], ['type'], [], ['type']],
    ])
  })
})
