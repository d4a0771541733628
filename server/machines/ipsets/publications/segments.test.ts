import { keyOf, readNetwork, textOf } from '@innkeeper/contract/machines/ipsets/networks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsOf, stored, widest } from './segments.ts'

const ban = (text: string, until = 0) => ({ network: stored(text), until })
const said = (...bans: ReturnType<typeof ban>[]) =>
  segmentsOf(bans).map(({ family, first, last, until }) => `${textOf(family, first)}-${textOf(family, last)} ${until}`)

describe('a typed address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8:1:2:3::/32', '2001:db8::/32'],
    ['::1', '::1'],
    [' 192.0.2.0/24 ', '192.0.2.0/24'],
  ])('%s is stored as %s', (typed, kept) => expect(readNetwork(typed)?.text).toBe(kept))

  it.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/08',
    '::1/129',
    '1.2.3.4-1.2.3.9',
    'fe80::1%eth0',
    'localhost',
    ':',
    '1::2::3',
    '1.2.3.4; drop',
  ])('%s is rejected', (typed) => expect(readNetwork(typed)).toBeUndefined())

  it('sorts as text in numerical order', () => {
    const order = ['9.0.0.0', '10.0.0.0', '192.0.2.1', '::1', '2001:db8::', 'fe80::']
    const keys = order.map((text) => keyOf(stored(text).family, stored(text).first))
    expect([...keys].sort()).toEqual(keys)
  })
})

describe('the kernel entries of bans', () => {
  it('are the bans themselves if none contains another', () => {
    expect(said(ban('10.0.0.1', 5), ban('10.0.0.2', 5), ban('9.0.0.0/8'))).toEqual([
      '9.0.0.0-9.255.255.255 0',
      '10.0.0.1-10.0.0.1 5',
      '10.0.0.2-10.0.0.2 5',
    ])
  })

  it('are the wider ban only, if it lasts as long', () => {
    expect(said(ban('10.0.0.0/8', 9), ban('10.1.0.0/16', 9), ban('10.2.3.4', 5))).toEqual(['10.0.0.0-10.255.255.255 9'])
  })

  it('are cut around a ban that lasts longer than its surrounding network', () => {
    expect(said(ban('10.0.0.0/8', 9), ban('10.1.2.3'))).toEqual([
      '10.0.0.0-10.1.2.2 9',
      '10.1.2.3-10.1.2.3 0',
      '10.1.2.4-10.255.255.255 9',
    ])
  })

  it('drop each address until its last ban ends, for any nesting, without overlaps', () => {
    const bans = fc.array(
      fc.record({
        address: fc.integer({ min: 0, max: 63 }),
        prefix: fc.integer({ min: 26, max: 32 }),
        until: fc.integer({ min: 0, max: 4 }),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(bans, (all) => {
        const banned = all.map(({ address, prefix, until }) => ban(`10.0.0.${address}/${prefix}`, until))
        const segments = segmentsOf(banned)
        for (let i = 0; i < 64; i++) {
          const at = stored(`10.0.0.${i}`).first
          const ends = banned
            .filter(({ network }) => network.first <= at && at <= network.last)
            .map(({ until }) => until)
          const wanted = ends.length ? (ends.includes(0) ? 0 : Math.max(...ends)) : undefined
          const found = segments.filter(({ first, last }) => first <= at && at <= last)
          expect(found.map(({ until }) => until)).toEqual(wanted === undefined ? [] : [wanted])
        }
      }),
      { numRuns: 500 },
    )
  })
})

it('the widest networks are those that no other network contains', () => {
  const texts = ['10.1.2.3', '10.0.0.0/8', '10.0.0.0/9', '11.0.0.1', '2001:db8::/32', '2001:db8::1']
  expect(widest(texts.map(stored)).map(({ text }) => text)).toEqual(['10.0.0.0/8', '11.0.0.1', '2001:db8::/32'])
})
