import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { digestOf, entryIn, setIn } from './ipSetFile.ts'
import { deltaOf } from './ipSetParts.ts'

type Received = OperationInput<'ip-set.ensure'>
type Part = Received['parts'][number]
const everything = (v4: Part['elements'], v6: Part['elements'] = []): Part[] => [
  { first: '0.0.0.0', last: '255.255.255.255', elements: v4 },
  { first: '::', last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', elements: v6 },
]
const span = (first: string, last = first, until = 0) => ({ first, last, until })
const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

describe('a change of a set', () => {
  const texts = (lines: readonly string[]) => lines.map(entryIn).map(({ text, until }) => `${text} ${until}`)
  const usual = everything([span('10.0.0.0', '10.0.0.255'), span('192.0.2.1', '192.0.2.1', 50)])
  const before = deltaOf([], usual, 0).come

  test('replaces the entries of its part, and keeps the others', () => {
    const part = { first: '192.0.2.0', last: '192.0.2.255', elements: [span('192.0.2.9')] }
    const { gone, come } = deltaOf(before, [part], 0)
    expect([texts(gone), texts(come)]).toEqual([['192.0.2.1 50'], ['192.0.2.9 0']])
  })

  test('keeps the rest of an entry that the part cuts, and adds no expired entries', () => {
    const part = { first: '10.0.0.16', last: '10.0.0.31', elements: [span('10.0.0.20', '10.0.0.20', 50)] }
    const { gone, come } = deltaOf(before, [part], 60)
    expect([texts(gone), texts(come)]).toEqual([
      ['10.0.0.0-10.0.0.255 0'],
      ['10.0.0.0-10.0.0.15 0', '10.0.0.32-10.0.0.255 0'],
    ])
  })

  test('without differences writes nothing', () => {
    expect(deltaOf(before, usual, 0)).toEqual({ gone: [], come: [] })
  })

  test('that was interrupted is ignored, as are expired entries', () => {
    const [office = '', flood = ''] = before
    const whole = `# change 3\n${office}\n${flood}\n- ${office}\n# change 4 1\n`
    expect(setIn(whole, 0)).toEqual({ change: 4, lines: [flood], size: whole.length, added: 2 })
    for (const torn of [
      '+ 4',
      `+ ${office}\n`,
      `+ ${office}\n# change 5 1`,
      `+ ${office}\n# change 5 2\n`,
      '\0\0\n# change 5 0\n',
    ])
      expect(setIn(whole + torn, 60)).toEqual({ change: 4, lines: [], size: whole.length, added: 2 })
    expect(setIn(`${whole}+ ${office}\n# change 5 1\n`, 60)).toMatchObject({ change: 5, lines: [office] })
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

  /** A foreign rule on the machine, which must stay. */
  const theirs = () => p.sh('sh', '-c', 'nft add table inet theirs && nft add chain inet theirs kept')
  let change = 0
  const tell = (parts: Part[], more: Partial<Received> = {}) =>
    p.done('ip-set.ensure', { set: 'office', change: ++change, whole: false, parts, ...more })
  const one = (address: string, until = 0): Part => ({
    first: address,
    last: address,
    elements: [span(address, address, until)],
  })
  const none = (address: string): Part => ({ first: address, last: address, elements: [] })
  /** Whether a packet of the visitor passes. No program listens on the port, so a passing packet is refused. */
  const reaches = async () => {
    const { code } = await visitor.host.exec(['curl', '--silent', '--max-time', '1', `http://${p.host.address}:9/`])
    if (code !== 7 && code !== 28) throw new Error(`curl ended with ${code}`)
    return code === 7
  }
  const listed = (set = 'office_v4') => p.sh('nft', 'list', 'set', 'inet', 'innkeeper', set)
  const file = (set = 'office') => `/var/lib/innkeeper/ip-sets/sets/${set}`
  const compare = async () => {
    const at = soon(10)
    const sum = digestOf(setIn(await p.sh('cat', file()), 0).lines, at)
    return (await p.done('ip-sets.compare', { at, sets: [{ set: 'office', sum }] })).output as {
      sets: { seen: string; packets: number }[]
    }
  }

  test('creates a complete set in its own table, which drops packets of banned addresses', async () => {
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

  test('reports which networks the kernel drops completely', async () => {
    const networks = ['198.51.100.3', '198.51.100.0/25', '198.51.100.0/24', '2001:db8::1', '203.0.113.1']
    const { output } = await p.done('ip-set.look', { set: 'office', networks })
    expect(output).toEqual({ dropped: ['198.51.100.3', '198.51.100.0/25', '2001:db8::1'] })
  })

  test('accepts and loads an end in twenty years', async () => {
    const addresses = ['203.0.113.20', '203.0.113.21']
    const until = soon(20 * 366 * 86_400)
    for (const address of addresses) await tell([one(address, until)])
    await p.sh('systemctl', 'restart', 'innkeeper-ip-sets.service')
    for (const address of addresses) expect(await listed()).toMatch(new RegExp(`${address} timeout 73\\d\\dd`))
    expect((await compare()).sets[0]).toMatchObject({ seen: 'same' })
    for (const address of addresses) await tell([none(address)])
  })

  test('lets an entry expire, inside a network that is cut around it', async () => {
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
    await expect.poll(() => listed('office_v4_nets')).not.toContain('203.0.113.8')
    expect(await listed()).toContain('203.0.113.7')
    expect((await compare()).sets[0]).toMatchObject({ seen: 'same' })
    // an expired entry is not missed when its part is sent again
    await tell([{ first: '203.0.113.0', last: '203.0.113.255', elements: [] }])
    expect([await listed(), await listed('office_v4_nets')].join()).not.toContain('203.0.113')
  })

  test('is not reverted by an earlier one', async () => {
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

  test('adds a second set without touching other rules', async () => {
    await p.done('ip-set.ensure', { set: 'floods', change: 1, whole: true, parts: everything([span('192.0.2.7')]) })
    expect(await listed('floods_v4')).toContain('192.0.2.7')
    expect(await listed()).toContain('203.0.113.1')
    expect(await p.sh('nft', 'list', 'tables')).toContain('table inet theirs')
  })

  test('survives a power cut with the remaining times, before the agent starts', async () => {
    const until = soon(3600)
    await tell([one('203.0.113.20', until), one(visitor.host.address)])
    // an interrupted change, which was never reported as done
    await p.sh('sh', '-c', `printf '+ 4cb007163 4cb007163 203.0.113.99 0\\n# change 99' >>${file()}`)
    await p.host.off()
    await p.host.up()
    await theirs()
    await visitor.sh('ip', 'neigh', 'flush', 'all') // after the restart, the host has another MAC address
    expect(await reaches()).toBe(false)
    const [, minutes = 0, seconds = 0] =
      /203\.0\.113\.20 timeout \S+ expires (\d+)m(?:(\d+)s)?/.exec(await listed()) ?? []
    expect(Math.abs(until - (Date.now() / 1000 + 60 * Number(minutes) + Number(seconds)))).toBeLessThan(5)
    expect(await listed('floods_v4')).toContain('192.0.2.7')
    expect(await listed()).not.toContain('203.0.113.99')
    expect((await compare()).sets[0]).toMatchObject({ seen: 'same' })
    await tell([none(visitor.host.address)])
    expect(await p.sh('cat', file())).not.toContain('203.0.113.99')
    expect(await reaches()).toBe(true)
  })

  test('detects entries removed from the kernel, and a full sync restores them', async () => {
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

  test('completes an attempt that was killed', async () => {
    for (const ms of [10, 40, 90, 160]) {
      const input = { set: 'office', change: ++change, whole: false, parts: [one(`203.0.113.${ms % 250}`)] }
      await p.killAfter(ms, 'ip-set.ensure', input)
      await p.done('ip-set.ensure', input, { inspect: true, attempt: 2 })
      expect(await listed()).toContain(`203.0.113.${ms % 250}`)
      expect((await compare()).sets[0]).toMatchObject({ seen: 'same' })
    }
  })

  test('removes sets without a trace, and keeps other rules', async () => {
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

  test('refuses changes to an unknown set; undo of the action that created a set removes the set', async () => {
    const refused = await p.op('ip-set.ensure', { set: 'late', change: 1, whole: false, parts: [] })
    expect([refused.status, refused.reason]).toEqual(['failed', expect.stringContaining('must send all its entries')])
    await p.done('ip-set.ensure', { set: 'late', change: 1, whole: true, parts: everything([]) }, { id: 900_001 })
    await p.done(
      'ip-set.ensure',
      { set: 'late', change: 1, whole: true, parts: everything([]) },
      { id: 900_001, task: 'undo' },
    )
    expect(await p.sh('nft', 'list', 'tables')).toBe('table inet theirs\n')
  })

  test('adds one entry beside 100,000 as one change of kernel and file', async () => {
    const addresses = Array.from({ length: 100_000 }, (_, i) => `100.${64 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`)
    for (let i = 0; i < addresses.length; i += 20_000) {
      const parts = [0, 1, 2, 3].map((n) => {
        const elements = addresses.slice(i + n * 5000, i + n * 5000 + 5000).map((address) => span(address))
        return { first: elements[0]?.first ?? '', last: elements.at(-1)?.last ?? '', elements }
      })
      await p.done('ip-set.ensure', { set: 'large', change: 1, whole: true, parts })
    }
    const size = async () => Number(await p.sh('stat', '--format=%s', file('large')))
    const before = await size()
    const begun = performance.now()
    const input = { set: 'large', change: 2, whole: false, parts: [one('203.0.113.99')] }
    const { said } = await p.done('ip-set.ensure', input)
    console.log(`one ban beside 100,000: ${Math.round(performance.now() - begun)} ms with the start of Node`)
    expect(said.join()).toContain('100001 entries: 1 came')
    expect(said.join()).not.toContain('loaded')
    expect((await size()) - before).toBeLessThan(100)
  })
})
