import type { recordTypes } from '@innkeeper/contract/net/dns/recordTypes'

/** Types that can be chosen in the form. Those without fields of their own have one field for the whole content. */
export type FormType = (typeof recordTypes)[number]

export interface PartField {
  key: string
  label: string
  hint?: string
  /** One quoted text, which may be empty. */
  isText?: true
  /** May stay empty. */
  isOptional?: true
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

const text = (key: string, label: string, hint: string): PartField => ({ ...{ key, label, hint }, isText: true })
const service: readonly PartField[] = [
  number('preference', 'Priority', '0: an alias of the target; else lower is tried first'),
  target('Target', '“.” is the name itself'),
  {
    key: 'params',
    label: 'Parameters',
    hint: 'alpn=h3,h2 port=443 ipv4hint=192.0.2.10; none for an alias',
    isOptional: true,
  },
]

/** Fields of each record type, in the order of its content. */
const own: Partial<Record<FormType, readonly PartField[]>> = {
  A: [{ key: 'address', label: 'IPv4 address', hint: '192.0.2.10' }],
  AAAA: [{ key: 'address', label: 'IPv6 address', hint: '2001:db8::10' }],
  CNAME: [target('Alias of')],
  ALIAS: [target('Addresses of', 'Name servers look up its addresses and answer with these')],
  MX: [target('Mail server', '“.” with priority 0: no mail here')],
  NS: [target('Name server')],
  PTR: [target('Name')],
  TXT: [{ key: 'text', label: 'Text', hint: 'Quotation marks and strings of 255 are made for you' }],
  SRV: [
    number('weight', 'Weight', 'Compared with records of the same priority'),
    number('port', 'Port'),
    target('Target'),
  ],
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
  DNAME: [target('All names below this one map to names below', 'The name itself is not affected')],
  HTTPS: service,
  SVCB: service,
  URI: [
    number('priority', 'Priority', 'Lower is tried first'),
    number('weight', 'Weight', 'Compared with records of the same priority'),
    text('uri', 'Address', 'https://example.org/path'),
  ],
  NAPTR: [
    number('order', 'Order', 'Lower is read first'),
    number('preference', 'Preference', 'Among those of one order'),
    text('flags', 'Flags', 'S: look up SRV, A: look up an address, U: an address follows, or empty'),
    text('services', 'Services', 'SIP+D2U'),
    text('expression', 'Expression', '!^.*$!sip:info@example.org!, or empty'),
    target('Replacement', 'A whole name, or “.” where the expression counts'),
  ],
  LOC: [
    { key: 'latitude', label: 'Latitude', hint: 'Degrees, minutes, seconds, N or S: 59 54 50.2 N' },
    { key: 'longitude', label: 'Longitude', hint: 'Degrees, minutes, seconds, E or W: 10 44 20.5 E' },
    { key: 'altitude', label: 'Altitude', hint: 'Metres: 12m' },
    {
      key: 'sizes',
      label: 'Size and precision',
      hint: 'Metres, across and upward: 1m 10000m 10m, or empty',
      isOptional: true,
    },
  ],
  IPSECKEY: [
    number('precedence', 'Precedence', 'Lower is tried first'),
    choice('kind', 'Gateway type', ['1', 'IPv4 address'], ['2', 'IPv6 address'], ['3', 'name'], ['0', 'none']),
    choice('algorithm', 'Algorithm', ['2', 'RSA'], ['1', 'DSA'], ['3', 'ECDSA']),
    { key: 'gateway', label: 'Gateway', hint: '192.0.2.38; empty without a gateway', isOptional: true },
    { key: 'key', label: 'Key', hint: 'Base64' },
  ],
  APL: [
    {
      key: 'networks',
      label: 'Networks',
      hint: '1: before IPv4, 2: before IPv6, ! before what is excepted: 1:192.0.2.0/24 !1:192.0.2.64/28',
    },
  ],
  CSYNC: [
    number('serial', 'Serial', 'The parent zone copies from this serial on'),
    choice(
      'flags',
      'Flags',
      ['3', 'at once, from this serial on'],
      ['1', 'at once'],
      ['2', 'after approval, from this serial on'],
      ['0', 'after approval'],
    ),
    { key: 'types', label: 'Types', hint: 'NS A AAAA' },
  ],
  MB: [target('Mail host')],
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

const content: readonly PartField[] = [{ key: 'content', label: 'Content', hint: 'As in a zone file' }]
export const partsOf = (type: FormType): readonly PartField[] => own[type] ?? content

export type Parts = Readonly<Record<string, string>>
/** Default values of the fields of a type. */
export const emptyParts = (type: FormType): Parts =>
  Object.fromEntries(partsOf(type).map(({ key, options }) => [key, options?.[0]?.value ?? '']))

/**
 * The key of the field beside which a problem of the content stands: the only one that the problem mentions, else the
 * last one. Selects have no invalid options.
 */
export function fieldOf(type: FormType, problem: string): string | undefined {
  const fields = partsOf(type)
  const words = problem.toLowerCase()
  const mentioned = fields.filter(({ label, options }) => !options && words.includes(label.toLowerCase()))
  return (mentioned.length === 1 ? mentioned : fields).at(-1)?.key
}

/** Joins the fields into the content of a record. A CAA value is quoted, because `;` would start a comment. */
export function contentOf(type: FormType, parts: Parts): string {
  const said = (key: string) => (parts[key] ?? '').trim()
  if (type === 'TXT') return parts.text ?? ''
  if (type === 'CAA') return `${said('flags')} ${said('tag')} "${said('value').replace(/[\\"]/g, '\\$&')}"`
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
  return partsOf(type)
    .map(({ key, isText }) => (isText ? quoted(said(key)) : said(key)))
    .join(' ')
    .trim()
}
