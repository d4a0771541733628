import { isIPv4 } from './contents.ts'
import { type Read, readTarget } from './names.ts'
import { quoted, unquote } from './txt.ts'

/** Parsers for the contents of less common types, field by field, into the format of PowerDNS. */
type Field = { name: string; read(word: string, zone: string): Read<string>; rest?: true }

const number = (name: string, max: number): Field => ({
  name,
  read: (word) =>
    /^\d{1,10}$/.test(word) && Number(word) <= max
      ? { value: String(Number(word)) }
      : { problem: `${name} is between 0 and ${max}` },
})
const u8 = (name: string) => number(name, 255)
const u16 = (name: string) => number(name, 65_535)
const text = (name: string): Field => ({
  name,
  read(word) {
    const [bytes, ...more] = unquote(word) ?? []
    if (word === '""') return { value: '""' }
    if (!bytes || more.length) return { problem: `${name} is one quoted text` }
    return bytes.length > 255 ? { problem: `${name} is longer than 255 characters` } : { value: quoted(bytes) }
  },
})
const target = (name: string): Field => ({ name, read: (word, zone) => readTarget(word, zone, true) })
const matching = (name: string, pattern: RegExp, say: string, lower = true): Field => ({
  name,
  read: (word) => (pattern.test(word) ? { value: lower ? word.toLowerCase() : word } : { problem: `${name}: ${say}` }),
})
const hex = (name: string): Field => ({
  ...matching(name, /^(?:[0-9a-f]{2})+$/i, 'hexadecimal, 0-9 and a-f'),
  rest: true,
})
const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** The last character may have bits beyond the last byte. PowerDNS refuses the whole zone unless they are 0. */
const base64 = (name: string): Field => ({
  name,
  read: (word) => (isBase64.test(word) ? { value: btoa(atob(word)) } : { problem: `${name}: base64` }),
  rest: true,
})
const address: Field = {
  name: 'Locator',
  read: (word) => (isIPv4(word) ? { value: word } : { problem: 'Locator: four numbers, such as 192.0.2.10' }),
}
const locator = (name: string): Field => ({
  name,
  read: (word) =>
    /^[0-9a-f]{4}(?::[0-9a-f]{4}){3}$/i.test(word)
      ? { value: word.toUpperCase() }
      : { problem: `${name}: four groups of four hexadecimal digits` },
})

const forms = {
  NAPTR: [u16('Order'), u16('Preference'), text('Flags'), text('Services'), text('Expression'), target('Replacement')],
  URI: [u16('Priority'), u16('Weight'), text('Target')],
  AFSDB: [u16('Kind'), target('Host')],
  KX: [u16('Preference'), target('Host')],
  LP: [u16('Preference'), target('Host')],
  RP: [target('Mailbox'), target('Text')],
  MINFO: [target('Mailbox'), target('Errors to')],
  MB: [target('Host')],
  MG: [target('Mailbox')],
  MR: [target('Mailbox')],
  HINFO: [text('Processor'), text('System')],
  CERT: [u16('Type'), u16('Key tag'), u8('Algorithm'), base64('Certificate')],
  SMIMEA: [u8('Usage'), u8('Selector'), u8('Matching type'), hex('Digest')],
  OPENPGPKEY: [base64('Key')],
  DHCID: [base64('Identity')],
  EUI48: [matching('Address', /^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}$/i, 'as in 00-00-5e-00-53-2a')],
  EUI64: [matching('Address', /^[0-9a-f]{2}(?:-[0-9a-f]{2}){7}$/i, 'as in 00-00-5e-ef-10-00-00-2a')],
  L32: [u16('Preference'), address],
  L64: [u16('Preference'), locator('Locator')],
  NID: [u16('Preference'), locator('Node')],
} as const satisfies Record<string, readonly Field[]>

export const fieldTypes = Object.keys(forms) as (keyof typeof forms)[]

/** Words of a record's content; a quoted string is one word. */
export const wordsOf = (content: string): string[] => content.match(/"(?:\\.|[^"\\])*"|\S+/g) ?? []

export function readFields(type: keyof typeof forms, content: string, zone: string): Read<string> {
  const fields: readonly Field[] = forms[type]
  const words = wordsOf(content)
  const last = fields.at(-1)
  const given = last?.rest ? [...words.slice(0, fields.length - 1), words.slice(fields.length - 1).join('')] : words
  if (given.length !== fields.length || given.includes(''))
    return { problem: `${fields.map(({ name }) => name).join(', ')}` }
  const values: string[] = []
  for (const [i, field] of fields.entries()) {
    const { value, problem } = field.read(given[i] ?? '', zone)
    if (value === undefined) return { problem: problem ?? field.name }
    values.push(value)
  }
  return { value: values.join(' ') }
}

/** Content of a LOC record (RFC 1876), with all of its sizes written out. */
export function readLoc(content: string): Read<string> {
  const pattern =
    /^(\d{1,2})(?: (\d{1,2})(?: (\d{1,2}(?:\.\d{1,3})?))?)? ([NS]) (\d{1,3})(?: (\d{1,2})(?: (\d{1,2}(?:\.\d{1,3})?))?)? ([EW]) (-?\d{1,8}(?:\.\d{1,2})?)m?(?: (\d{1,8}(?:\.\d{1,2})?)m?)?(?: (\d{1,8}(?:\.\d{1,2})?)m?)?(?: (\d{1,8}(?:\.\d{1,2})?)m?)?$/i
  const found = pattern.exec(content.trim().replace(/\s+/g, ' '))
  if (!found) return { problem: 'Latitude, longitude and altitude: 51 30 12.748 N 0 7 39.612 W 10m' }
  const [, latD, latM = '0', latS = '0', ns, lonD, lonM = '0', lonS = '0', ew, altitude, ...sizes] = found
  const [lat, lon] = [
    Number(latD) * 3600 + Number(latM) * 60 + Number(latS),
    Number(lonD) * 3600 + Number(lonM) * 60 + Number(lonS),
  ]
  if ([latM, latS, lonM, lonS].some((n) => Number(n) >= 60)) return { problem: 'Minutes and seconds are below 60' }
  if (lat > 90 * 3600) return { problem: 'Latitude is at most 90 degrees' }
  if (lon > 180 * 3600) return { problem: 'Longitude is at most 180 degrees' }
  if (Number(altitude) < -100_000 || Number(altitude) > 42_849_672)
    return { problem: 'Altitude is between -100000 and 42849672 metres' }
  const half = (d: string | undefined, m: string, s: string, side: string | undefined) =>
    `${Number(d)} ${Number(m)} ${Number(s).toFixed(3)} ${side?.toUpperCase()}`
  const [size = '1', across = '10000', upward = '10'] = sizes
  if ([size, across, upward].some((n) => Number(n) > 40_000_000))
    return { problem: 'Size and precision are at most 40000000 metres' }
  // the name server writes 0 degrees as south and west
  const [north, east] = [lat ? ns : 'S', lon ? ew : 'W']
  const metres = [Number(altitude), ...[size, across, upward].map(oneDigit)].map((n) => `${n.toFixed(2)}m`)
  return { value: [half(latD, latM, latS, north), half(lonD, lonM, lonS, east), ...metres].join(' ') }
}

/** The size in metres that a LOC record can hold: one digit, and a power of ten in centimetres. The rest is cut, as by BIND. */
function oneDigit(metres: string): number {
  const [first = '0', ...others] = String(Math.round(Number(metres) * 100))
  return (Number(first) * 10 ** others.length) / 100
}

/** Data of any other type as bytes (RFC 3597): `\# 4 0a000001`. */
export function readBytes(content: string): Read<string> {
  const [mark, length = '', ...groups] = content.trim().split(/\s+/)
  const digits = groups.join('').toLowerCase()
  if (mark !== '\\#' || !/^\d{1,5}$/.test(length)) return { problem: 'Length and bytes: \\# 4 0a000001' }
  if (!/^(?:[0-9a-f]{2})*$/.test(digits) || digits.length !== Number(length) * 2)
    return { problem: `\\# ${length} needs ${length} bytes in hexadecimal` }
  return { value: `\\# ${Number(length)} ${digits}` } // PowerDNS writes the blank even if no bytes follow
}
