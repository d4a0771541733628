import { expect, test } from 'vitest'
import { entryKeys, generations, withKinds } from './keyKinds.ts'

const key = (flags: number, algorithm: number, active = true, since = '2026-01-01') => ({
  ...{ dnskey: `${flags} 3 ${algorithm} AAAA`, active, since, tag: 1, ds: '' },
})
const kinds = (...keys: ReturnType<typeof key>[]) => withKinds(keys).map(({ kind }) => kind)

test('a key is a KSK or a ZSK only beside an active key of its algorithm with the other flags', () => {
  expect(kinds(key(257, 13))).toEqual(['CSK'])
  expect(kinds(key(256, 13))).toEqual(['CSK'])
  expect(kinds(key(257, 13), key(256, 13))).toEqual(['KSK', 'ZSK'])
  expect(kinds(key(257, 13), key(256, 13, false))).toEqual(['CSK', 'CSK'])
  expect(kinds(key(257, 8), key(256, 8), key(257, 13))).toEqual(['KSK', 'ZSK', 'CSK'])
  expect(kinds(key(257, 8), key(256, 8), key(256, 8, false))).toEqual(['KSK', 'ZSK', 'ZSK'])
})

test('the parent zone names an active key that signs the keys', () => {
  const [ksk, zsk, standby] = [key(257, 8), key(256, 8), key(257, 8, false)]
  expect(entryKeys([zsk, standby, ksk]).map(({ dnskey, active }) => [dnskey, active])).toEqual([[ksk.dnskey, true]])
})

test('only keys that were made later replace the others', () => {
  const [ksk, zsk, next] = [key(257, 8), key(256, 8), key(257, 13, true, '2026-02-01')]
  expect(generations([ksk, zsk])).toEqual({ former: [ksk, zsk], next: [] })
  expect(generations([ksk, zsk, next])).toEqual({ former: [ksk, zsk], next: [next] })
})
