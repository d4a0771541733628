import { readContent } from '@innkeeper/contract/net/dns/recordContent'
import { expect, test } from 'vitest'
import { contentOf, emptyParts, type FormType, fieldOf } from './parts.ts'

test.each<[FormType, Record<string, string>, string]>([
  ['IPSECKEY', { precedence: '10', gateway: '2001:db8::1', key: 'AQNR' }, 'gateway'],
  ['IPSECKEY', { precedence: '10', kind: '3', gateway: '192.0.2.1', key: 'AQNR' }, 'gateway'],
  ['IPSECKEY', { precedence: '10', gateway: '192.0.2.1', key: '!' }, 'key'],
  ['NAPTR', { order: '70000', preference: '1', target: '.' }, 'order'],
  ['LOC', { latitude: '99 0 0 N', longitude: '10 0 0 E', altitude: '1m' }, 'latitude'],
  ['DS', { tag: '70000', digest: 'ab'.repeat(32) }, 'tag'],
  ['DS', { tag: '1', digest: 'ab' }, 'digest'],
  ['SRV', { weight: '70000', port: '1', target: 'sip' }, 'target'],
])('a problem of %s %o stands beside the field %s', (type, given, key) => {
  const { problem = '' } = readContent(type, contentOf(type, { ...emptyParts(type), ...given }), 'example.org')
  expect([fieldOf(type, problem), problem]).toEqual([key, expect.stringMatching(/./)])
})
