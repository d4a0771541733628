import { isIPv4, isIPv6, readCaa, readDigest } from './contents.ts'
import { fieldTypes, readBytes, readFields, readLoc } from './fields.ts'
import { type Read, readTarget } from './names.ts'
import { readApl, readCsync, readIpseckey } from './rareContents.ts'
import type { RecordType } from './recordTypes.ts'
import { readService } from './service.ts'
import { quoteTxt } from './txt.ts'

const target = (text: string, zone: string): Read<string> => readTarget(text, zone)
type Named = Exclude<RecordType, `TYPE${number}` | (typeof fieldTypes)[number]>
const contents: Record<Named, (text: string, zone: string) => Read<string>> = {
  A: (text) => (isIPv4(text) ? { value: text } : { problem: 'An IPv4 address, such as 192.0.2.10' }),
  AAAA: (text) => {
    const value = isIPv6(text)
    return value ? { value } : { problem: 'An IPv6 address, such as 2001:db8::10' }
  },
  CNAME: target,
  NS: target,
  PTR: target,
  ALIAS: target,
  MX: (text, zone) => readTarget(text, zone, true),
  TXT: (text) => quoteTxt(text),
  SRV: (text, zone) => {
    const [weight = '', port = '', host, ...more] = text.split(/\s+/)
    if (host === undefined || more.length) return { problem: 'Weight, port and target: 0 5060 sip.example.org' }
    if (![weight, port].every((n) => /^\d{1,5}$/.test(n) && Number(n) <= 65_535))
      return { problem: 'Weight and port are between 0 and 65535' }
    const to = readTarget(host, zone, true)
    return to.value === undefined ? to : { value: `${Number(weight)} ${Number(port)} ${to.value}` }
  },
  CAA: readCaa,
  TLSA: (text) => readDigest('TLSA', text),
  SSHFP: (text) => readDigest('SSHFP', text),
  DS: (text) => readDigest('DS', text),
  DNAME: target,
  HTTPS: readService,
  SVCB: readService,
  LOC: readLoc,
  IPSECKEY: readIpseckey,
  APL: readApl,
  CSYNC: readCsync,
  SPF: (text) => quoteTxt(text),
}
const isNamed = (type: RecordType): type is Named => type in contents
const hasFields = (type: RecordType): type is (typeof fieldTypes)[number] =>
  (fieldTypes as readonly string[]).includes(type)
export function readContent(type: RecordType, text: string, zone: string): Read<string> {
  if (isNamed(type)) return contents[type](text, zone)
  return hasFields(type) ? readFields(type, text, zone) : readBytes(text)
}
