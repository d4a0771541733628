import type { RecordType } from '@innkeeper/contract/dns/records'

export interface PartField {
  key: string
  label: string
  hint?: string
  /** Options of a select, the default first. */
  options?: readonly { value: string; label: string }[]
}
const target = (label: string, hint = 'A whole name, or one word of this zone'): PartField => ({
  key: 'target',
  label,
  hint,
})
const number = (key: string, label: string, hint?: string): PartField => ({ key, label, ...(hint && { hint }) })
const choice = (key: string, label: string, ...words: [string, string][]): PartField => ({
  ...{ key, label },
  options: words.map(([value, word]) => ({ value, label: `${value}: ${word}` })),
})

/** Fields of each record type, in the order of its content. */
export const partsOf: Record<RecordType, readonly PartField[]> = {
  A: [{ key: 'address', label: 'IPv4 address', hint: '192.0.2.10' }],
  AAAA: [{ key: 'address', label: 'IPv6 address', hint: '2001:db8::10' }],
  CNAME: [target('Alias of')],
  ALIAS: [target('Addresses of', 'Name servers look its addresses up and answer them as their own')],
  MX: [target('Mail server', '“.” with priority 0: no mail here')],
  NS: [target('Name server')],
  PTR: [target('Name')],
  TXT: [{ key: 'text', label: 'Text', hint: 'Quotation marks and strings of 255 are made for you' }],
  SRV: [number('weight', 'Weight', 'Among those of one priority'), number('port', 'Port'), target('Target')],
  CAA: [
    choice('flags', 'Flags', ['0', 'may be ignored'], ['128', 'critical']),
    choice(
      'tag',
      'Tag',
      ['issue', 'who may issue'],
      ['issuewild', 'who may issue wildcards'],
      ['iodef', 'whom to tell'],
    ),
    { key: 'value', label: 'Value', hint: 'letsencrypt.org, or ; for nobody' },
  ],
  TLSA: [
    choice(
      'usage',
      'Usage',
      ['3', 'this very certificate'],
      ['2', 'this authority'],
      ['1', 'certificate, and trusted'],
      ['0', 'authority, and trusted'],
    ),
    choice('selector', 'Selector', ['1', 'its public key'], ['0', 'all of it']),
    choice('matching', 'Matching', ['1', 'SHA-256'], ['2', 'SHA-512'], ['0', 'in full']),
    { key: 'digest', label: 'Digest', hint: 'Hexadecimal' },
  ],
  SSHFP: [
    choice('algorithm', 'Algorithm', ['4', 'Ed25519'], ['3', 'ECDSA'], ['1', 'RSA'], ['6', 'Ed448']),
    choice('type', 'Type', ['2', 'SHA-256'], ['1', 'SHA-1']),
    { key: 'digest', label: 'Fingerprint', hint: 'Hexadecimal' },
  ],
  DS: [
    number('tag', 'Key tag'),
    choice(
      'algorithm',
      'Algorithm',
      ['13', 'ECDSA P-256'],
      ['15', 'Ed25519'],
      ['8', 'RSA SHA-256'],
      ['14', 'ECDSA P-384'],
    ),
    choice('kind', 'Digest type', ['2', 'SHA-256'], ['4', 'SHA-384'], ['1', 'SHA-1']),
    { key: 'digest', label: 'Digest', hint: 'Hexadecimal' },
  ],
}

export type Parts = Readonly<Record<string, string>>
/** Default values of the fields of a type. */
export const emptyParts = (type: RecordType): Parts =>
  Object.fromEntries(partsOf[type].map(({ key, options }) => [key, options?.[0]?.value ?? '']))

/** Joins the fields into the content of a record. A CAA value is quoted, because `;` would start a comment. */
export function contentOf(type: RecordType, parts: Parts): string {
  const said = (key: string) => (parts[key] ?? '').trim()
  if (type === 'TXT') return parts.text ?? ''
  if (type === 'CAA') return `${said('flags')} ${said('tag')} "${said('value').replace(/[\\"]/g, '\\$&')}"`
  return partsOf[type]
    .map(({ key }) => said(key))
    .join(' ')
    .trim()
}
