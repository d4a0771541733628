import { fieldTypes } from './fields.ts'

/**
 * Record types with a name that people may add. Innkeeper manages SOA, whose serial must rise. LUA would run code on the
 * name server.
 */
export const recordTypes = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'SRV',
  'CAA',
  'NS',
  'PTR',
  'TLSA',
  'SSHFP',
  'ALIAS',
  'DS',
  'HTTPS',
  'SVCB',
  'NAPTR',
  'URI',
  'DNAME',
  'LOC',
  'IPSECKEY',
  'APL',
  'CSYNC',
  ...fieldTypes.filter((type) => type !== 'NAPTR' && type !== 'URI'),
  'SPF',
] as const
export type RecordType = (typeof recordTypes)[number] | `TYPE${number}`
