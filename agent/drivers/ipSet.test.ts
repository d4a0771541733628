import type { OperationInput } from '@innkeeper/contract/agent'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../testing/practice.ts'
import { digestOf, type Entry, merged } from './ipSetFile.ts'

type Told = OperationInput<'ip-set.ensure'>
type Part = Told['parts'][number]
const everything = (v4: Part['elements'], v6: Part['elements'] = []): Part[] => [
  { first: '0.0.0.0', last: '255.255.255.255', elements: v4 },
  { first: '::', last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', elements: v6 },
]
const span = (first: string, last = first, until = 0) => ({ first, last, until })
const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

describe('what a set becomes', () => {
  const texts = (entries: readonly Entry[]) => entries.map(({ text, until }) => `${text} ${until}`)
  const before = merged([], everything([span('10.0.0.0', '10.0.0.255'), span('192.0.2.1', '192.0.2.1', 50)]), 0).entries

  test('in a part it is what is told, elsewhere what it was', () => {
    const part = { first: '192.0.2.0', last: '192.0.2.255', elements: [span('192.0.2.9')] }
    const after = merged(before, [part], 0)
    expect(texts(after.entries)).toEqual(['10.0.0.0-10.0.0.255 0', '192.0.2.9 0'])
    expect([texts(after.gone), texts(after.come)]).toEqual([['192.0.2.1 50'], ['192.0.2.9 0']])
  })

  test('an entry that a part cuts keeps what lies outside; what has ended is left out', () => {
    const after = merged(before, [{ first: '10.0.0.16', last: '10.0.0.31', elements: [] }], 60)
    expect(texts(after.entries)).toEqual(['10.0.0.0-10.0.0.15 0', '10.0.0.32-10.0.0.255 0'])
  })

  test('what is told again as it is changes nothing', () => {
    expect(
      merged(before, everything([span('10.0.0.0', '10.0.0.255'), span('192.0.2.1', '192.0.2.1', 50)]), 0),
    ).toMatchObject({
      gone: [],
      come: [],
    })
  })
})

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'IP sets' : `IP sets (${verdict.reason})`, () => {
  let p: Practice<Host>
  let visitor: Practice<Host>
  beforeAll(async () => {
    const lab = await openLab({ dir: labDir })
    p = await practice(lab, 'doors-1')
    visitor = await practice(lab, 'doors-2')
    await theirs()
  })
  afterAll(async () => {
    await visitor?.host.wipe()
    await p?.end()
  })

  /** A rule of the machine's own, which nobody of ours may touch. */
  const theirs = () => p.sh('sh', '-c', 'nft add table inet theirs && nft add chain inet theirs kept')
  let change = 0
  const tell = (parts: Part[], more: Partial<Told> = {}) =>
    p.done('ip-set.ensure', { set: 'office', change: ++change, whole: false, parts, ...more })
  const one = (address: string, until = 0): Part => ({
    first: address,
    last: address,
    elements: [span(address, address, until)],
  })
  const none = (address: string): Part => ({ first: address, last: address, elements: [] })
  /** Does a packet of the visitor come through? Nothing listens on that port: the answer of who hears it is a refusal. */
  const reaches = async () => {
    const { code } = await visitor.host.exec(['curl', '--silent', '--max-time', '1', `http://${p.host.address}:9/`])
    if (code !== 7 && code !== 28) throw new Error(`curl ended with ${code}`)
    return code === 7
  }
  const listed = (set = 'office_v4') => p.sh('nft', 'list', 'set', 'inet', 'innkeeper', set)
  const digest = async (set = 'office') => {
    const lines = (await p.sh('cat', `/var/lib/innkeeper/ip-sets/sets/${set}`)).trimEnd().split('\n').slice(1)
    const entries = lines.map((line): Entry => {
      const [first = '', last = '', text = '', until = '0'] = line.split(' ')
      return { first, last, text, until: Number(until) }
    })
    return digestOf(entries, 0)
  }
  const compare = async () =>
    (await p.done('ip-sets.compare', { at: 0, sets: [{ set: 'office', sum: await digest() }] })).output as {
      sets: { seen: string; packets: number }[]
    }

  test('a set that is told whole stands in a table of ours, and a packet of whom it bans is dropped', async () => {
    const v6 = [span('2001:db8::', '2001:db8:0:ffff:ffff:ffff:ffff:ffff')]
    await tell(everything([span('198.51.100.0', '198.51.100.127')], v6), { whole: true })
    expect(await listed('office_v4_nets')).toContain('198.51.100.0/25')
    expect(await listed('office_v6_nets')).toContain('2001:db8::/48')
    expect(await reaches()).toBe(true)
    await tell([one(visitor.host.address)])
    expect(await reaches()).toBe(false)
    expect((await compare()).sets[0]).toMatchObject({ seen: 'same', packets: expect.any(Number) })
    expect((await compare()).sets[0]?.packets).toBeGreaterThan(0)
    await tell([none(visitor.host.address)])
    expect(await reaches()).toBe(true)
  })

  test('a look says what the kernel drops as a whole', async () => {
    const networks = ['198.51.100.3', '198.51.100.0/25', '198.51.100.0/24', '2001:db8::1', '203.0.113.1']
    const { output } = await p.done('ip-set.look', { set: 'office', networks })
    expect(output).toEqual({ dropped: ['198.51.100.3', '198.51.100.0/25', '2001:db8::1'] })
  })

  test('an entry ends by itself, in a network that is cut around what lasts', async () => {
    const until = soon(3)
    await tell([
      {
        first: '203.0.113.0',
        last: '203.0.113.255',
        elements: [
          span('203.0.113.0', '203.0.113.6', until),
          span('203.0.113.7'),
          span('203.0.113.8', '203.0.113.255', until),
        ],
      },
    ])
    expect(await listed('office_v4_nets')).toMatch(/203\.0\.113\.8-203\.0\.113\.255 timeout [23]s/)
    await expect.poll(() => listed('office_v4_nets'), { timeout: 8000 }).not.toContain('203.0.113.8')
    expect(await listed()).toContain('203.0.113.7')
    expect((await compare()).sets[0]).toMatchObject({ seen: 'same' })
    // what ended by itself is not missed when its part is told anew
    await tell([{ first: '203.0.113.0', last: '203.0.113.255', elements: [] }])
    expect([await listed(), await listed('office_v4_nets')].join()).not.toContain('203.0.113')
  })

  test('a later change is not passed back by an earlier one', async () => {
    await tell([one('203.0.113.1')])
    const { said } = await p.done('ip-set.ensure', {
      set: 'office',
      change: 1,
      whole: false,
      parts: [none('203.0.113.1')],
    })
    expect(said.join()).toContain('later than 1')
    expect(await listed()).toContain('203.0.113.1')
  })

  test('a second set stands beside it; the rules of others are not touched', async () => {
    await p.done('ip-set.ensure', { set: 'floods', change: 1, whole: true, parts: everything([span('192.0.2.7')]) })
    expect(await listed('floods_v4')).toContain('192.0.2.7')
    expect(await listed()).toContain('203.0.113.1')
    expect(await p.sh('nft', 'list', 'tables')).toContain('table inet theirs')
  })

  test('a power cut leaves all of it in force with what is left of each, before any agent runs', async () => {
    const until = soon(3600)
    await tell([one('203.0.113.20', until), one(visitor.host.address)])
    await p.host.off()
    await p.host.up()
    await theirs()
    await visitor.sh('ip', 'neigh', 'flush', 'all') // it has another hardware address now
    expect(await reaches()).toBe(false)
    const [, minutes = 0, seconds = 0] =
      /203\.0\.113\.20 timeout \S+ expires (\d+)m(?:(\d+)s)?/.exec(await listed()) ?? []
    expect(Math.abs(until - (Date.now() / 1000 + 60 * Number(minutes) + Number(seconds)))).toBeLessThan(5)
    expect(await listed('floods_v4')).toContain('192.0.2.7')
    expect((await compare()).sets[0]).toMatchObject({ seen: 'same' })
    await tell([none(visitor.host.address)])
    expect(await reaches()).toBe(true)
  })

  test('what somebody took out of the kernel is seen, and back when the set is told whole', async () => {
    await p.sh('nft', 'flush', 'set', 'inet', 'innkeeper', 'office_v4_nets')
    expect((await compare()).sets[0]).toMatchObject({ seen: 'different' })
    const kept = everything([span('198.51.100.0', '198.51.100.127')])
    await tell([kept[0] as Part], { whole: true })
    await tell([kept[0] as Part], { whole: true })
    expect(await listed('office_v4_nets')).toContain('198.51.100.0/25')
    expect((await compare()).sets[0]).toMatchObject({ seen: 'same' })
    await p.sh('nft', 'delete', 'table', 'inet', 'innkeeper')
    expect((await compare()).sets[0]).toMatchObject({ seen: 'missing' })
    await tell([one('203.0.113.30')])
    expect([await listed('office_v4_nets'), await listed(), await listed('floods_v4')].join()).toMatch(
      /198\.51\.100\.0\/25[\s\S]*203\.0\.113\.30[\s\S]*192\.0\.2\.7/,
    )
  })

  test('a kill in the middle leaves what the next attempt completes', async () => {
    for (const ms of [60, 120, 200, 300]) {
      const input = { set: 'office', change: ++change, whole: false, parts: [one(`203.0.113.${ms % 250}`)] }
      await p.killAfter(ms, 'ip-set.ensure', input)
      await p.done('ip-set.ensure', input, { inspect: true, attempt: 2 })
      expect(await listed()).toContain(`203.0.113.${ms % 250}`)
      expect((await compare()).sets[0]).toMatchObject({ seen: 'same' })
    }
  })

  test('sets that are taken away leave nothing, and the rules of others stay', async () => {
    await p.done('ip-set.remove', { set: 'office' })
    await p.done('ip-set.remove', { set: 'office' })
    expect(await p.sh('nft', 'list', 'table', 'inet', 'innkeeper')).not.toContain('office')
    expect(await listed('floods_v4')).toContain('192.0.2.7')
    await p.done('ip-set.remove', { set: 'floods' })
    expect(await p.sh('nft', 'list', 'tables')).toBe('table inet theirs\n')
    expect(
      await p.sh('sh', '-c', 'ls /var/lib/innkeeper/ip-sets /etc/systemd/system | grep -c innkeeper-ip || true'),
    ).toBe('0\n')
  })

  test('one that was never told whole is refused, and undo of what made a set takes it away', async () => {
    const refused = await p.op('ip-set.ensure', { set: 'late', change: 1, whole: false, parts: [] })
    expect([refused.status, refused.reason]).toEqual(['failed', expect.stringContaining('told whole')])
    await p.done('ip-set.ensure', { set: 'late', change: 1, whole: true, parts: everything([]) }, { id: 900_001 })
    await p.done(
      'ip-set.ensure',
      { set: 'late', change: 1, whole: true, parts: everything([]) },
      { id: 900_001, task: 'undo' },
    )
    expect(await p.sh('nft', 'list', 'tables')).toBe('table inet theirs\n')
  })

  test('beside 50,000 entries one more is a change of one', async () => {
    const addresses = Array.from({ length: 100_000 }, (_, i) => `100.${64 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`)
    const spans = addresses.filter((_, i) => i % 2 === 0).map((address) => span(address))
    for (let i = 0; i < spans.length; i += 5000) {
      const slice = spans.slice(i, i + 5000)
      const part = { first: slice[0]?.first ?? '', last: slice.at(-1)?.last ?? '', elements: slice }
      await p.done('ip-set.ensure', { set: 'large', change: 1, whole: true, parts: [part] })
    }
    const { said } = await p.done('ip-set.ensure', {
      set: 'large',
      change: 2,
      whole: false,
      parts: [one('203.0.113.99')],
    })
    expect(said.join()).toContain('50001 entries: 1 came')
    expect(said.join()).not.toContain('loaded')
  })
})
