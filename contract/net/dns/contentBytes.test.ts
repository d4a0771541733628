import { expect, it } from 'vitest'
import { contentBytes } from './contentBytes.ts'

const hex = (type: string, content: string) => {
  const bytes = contentBytes(type, content)
  return bytes && Buffer.from(bytes).toString('hex')
}

// the data that `dig +unknownformat` shows of BIND's answers to the same lines
it.each([
  ['A', '192.0.2.9', 'c0000209'],
  ['AAAA', '2001:DB8::1', '20010db8000000000000000000000001'],
  ['AAAA', '::', '0'.repeat(32)],
  ['AAAA', '::ffff:192.0.2.9', '00000000000000000000ffffc0000209'],
  ['AAAA', '1:2:3:4:5:6:7::', '00010002000300040005000600070000'],
  ['NS', 'NS1.Example.', '036e7331076578616d706c6500'],
  ['MX', '10 mail.example.', '000a046d61696c076578616d706c6500'],
  ['SRV', '0 5 5060 sip.example.', '0000000513c403736970076578616d706c6500'],
  ['TXT', '"a" "b;\\"\\195\\165"', '016105623b22c3a5'],
  ['CAA', '0 issue "letsencrypt.org"', '000569737375656c657473656e63727970742e6f7267'],
])('%s %s', (type, content, wanted) => expect(hex(type, content)).toBe(wanted))

it.each([
  ['A', '192.0.2'],
  ['A', '192.0.2.256'],
  ['AAAA', '1:2:3'],
  ['AAAA', '1::2::3'],
  ['AAAA', '1:2:3:4:5:6:7:8:9'],
  ['MX', 'mail.example.'],
  ['NS', 'a\\.b.example.'],
  ['TXT', '"open'],
  ['NAPTR', '10 10 "u" "E2U+sip" "!^.*$!sip:a@example!" .'],
])('%s %s is not known', (type, content) => expect(contentBytes(type, content)).toBeUndefined())
